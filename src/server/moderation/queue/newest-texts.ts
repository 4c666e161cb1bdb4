import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { unionAll } from '../../database/union-all.ts';
import { postOf, textOf } from '../../forum/pending/pending-rows.ts';
import { type StoredText, toStoredText } from '../../texts/stored-text.ts';
import { readBeginning } from '../../texts/text-beginnings.ts';
import { wholeText } from '../../texts/whole-text.ts';

/**
 * The start of the newest comments, channels and pending posts of each account, newest first, visible or not, without
 * deleted posts and images.
 * @param count maximum per account
 */
export async function readNewestTexts(
  db: Database,
  accountIds: string[],
  count: number,
): Promise<Map<string, StoredText[]>> {
  if (accountIds.length === 0) return new Map();
  const comments = await unionAll(
    db,
    accountIds.map((id) =>
      db
        .selectFrom('comments')
        .select(['account_id', 'created_at_ms', readBeginning(wholeText('comments')).as('text')])
        .where('account_id', '=', id)
        .where('deleted_at_ms', 'is', null)
        .where(sql<SqlBool>`(text <> '' or carried_text <> '')`)
        .orderBy('created_at_ms', 'desc')
        .limit(count),
    ),
  );
  const channels = await unionAll(
    db,
    accountIds.map((id) =>
      db
        .selectFrom('channels')
        .select(['account_id', 'created_at_ms', 'name', 'description'])
        .where('account_id', '=', id)
        .where('deleted_at_ms', 'is', null)
        .orderBy('id', 'desc')
        .limit(count),
    ),
  );
  const pendingPosts = await unionAll(
    db,
    accountIds.map((id) =>
      db
        .selectFrom('pending_posts')
        .select(['account_id', 'created_at_ms', 'kind', 'content'])
        .where('account_id', '=', id)
        .orderBy('id', 'desc')
        .limit(count),
    ),
  );
  const written = [
    ...comments,
    ...channels.map(({ name, description, ...row }) => ({
      ...row,
      text: toStoredText(`${name}\n\n${description}`),
    })),
    ...pendingPosts.map(({ kind, content, ...row }) => ({
      ...row,
      text: textOf(postOf({ kind, content })),
    })),
  ]
    .filter(({ text }) => text !== '')
    .sort((one, other) => Number(other.created_at_ms) - Number(one.created_at_ms));
  const byAccount = Map.groupBy(written, ({ account_id }) => account_id);
  return new Map(
    [...byAccount].map(([id, rows]) => [id, rows.slice(0, count).map(({ text }) => text)]),
  );
}
