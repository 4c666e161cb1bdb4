import { commentId } from '../../../shared/comment-id.ts';
import { nameKey } from '../../accounts/names.ts';
import { findNames } from '../../database/mention-names.ts';
import { toPlainText } from '../../database/stored-text.ts';
import { isMarkedForErasure, type Visibility } from '../../database/visible-rows.ts';
import type { Actor } from '../actor.ts';

/** Number of channels that `listChannels` searches, and of comments that `listComments` returns. */
const searchedChannels = 500;
const maxComments = 50;

/**
 * Searches the next 500 channels, including hidden and deleted ones, newest first.
 * @param search part of the id, or of the name ignoring case and accents
 * @param after `next` of the previous page
 */
export async function listChannels(
  { db }: Pick<Actor, 'db'>,
  { search, after }: { search: string; after?: string | undefined },
) {
  const rows = await db
    .selectFrom('channels')
    .innerJoin('accounts', 'accounts.id', 'channels.account_id')
    .select(['channels.id', 'channels.name', 'comment_count', 'deleted_at_ms'])
    .select(['closed_at_ms', 'account_id', 'accounts.name as author'])
    .select(({ fn }) => fn.coalesce('channels.hidden_by', 'accounts.hidden_by').as('hidden_by'))
    .$if(after !== undefined, (query) => query.where('channels.id', '<', after ?? ''))
    .orderBy('channels.id', 'desc')
    .limit(searchedChannels)
    .execute();
  const wanted = nameKey(search);
  const found = rows.filter(({ id, name }) => nameKey(`${id} ${name}`).includes(wanted));
  return {
    data: found.map((row) => ({ ...row, state: contentState(row) })),
    next: rows.length === searchedChannels ? (rows.at(-1)?.id ?? null) : null,
  };
}

/**
 * @returns `erasing`, `hidden` (including content of hidden accounts), `deleted`, `closed`, or an empty string
 * otherwise
 */
function contentState(row: Visibility & { closed_at_ms?: number | null }): string {
  if (isMarkedForErasure(row)) return 'erasing';
  if (row.hidden_by !== null) return 'hidden';
  if (row.deleted_at_ms !== null) return 'deleted';
  return row.closed_at_ms ? 'closed' : '';
}

/** The newest comments of a channel, including hidden and deleted ones, oldest first. */
export async function listComments({ db }: Pick<Actor, 'db'>, channelId: string) {
  const rows = await db
    .selectFrom('comments')
    .innerJoin('accounts', 'accounts.id', 'comments.account_id')
    .select(['number', 'text', 'comments.created_at_ms', 'deleted_at_ms'])
    .select(['account_id', 'accounts.name as author'])
    .select(({ fn }) => fn.coalesce('comments.hidden_by', 'accounts.hidden_by').as('hidden_by'))
    .where('channel_id', '=', channelId)
    .orderBy('number', 'desc')
    .limit(maxComments)
    .execute();
  const names = await findNames(
    db,
    rows.map(({ text }) => text),
  );
  return rows.reverse().map((row) => ({
    ...row,
    id: commentId(channelId, row.number),
    text: toPlainText(row.text, names),
    state: contentState(row),
  }));
}
