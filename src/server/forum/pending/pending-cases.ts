import { type Selectable, type SqlBool, sql } from 'kysely';
import type { QueueItem } from '../../../shared/moderation.ts';
import { isWaiting } from '../../accounts/standing/admission.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import type { EventContent } from '../events/event-content.ts';
import { filesOf, imagesOf, postOf, textOf } from './pending-rows.ts';

/** A case; or an appeal, or a post or account waiting for approval, in the form of a case. */
export type Case = Selectable<Tables['cases']> & {
  pendingReason?: NonNullable<QueueItem['pendingReason']>;
  /** Channel of a pending comment. */
  channel_id?: string | null;
  /** URLs of the files of a pending comment. */
  files?: string[];
  /** Dates of a pending comment. */
  event?: EventContent | null;
  appeal?: {
    text: string;
    /** Id of the decision appealed against. */
    of: string;
    decided_by: string;
  };
};

export const unreported = { rank: 1, report_count: 0, decided_at_ms: null, decision_id: null };

/** Whether the author of a pending post is hidden, as a condition on `pending_posts`. */
export const isOfHidden = sql<SqlBool>`(select hidden_by from accounts where id = pending_posts.account_id) is not null`;

/** Posts and accounts waiting for approval by a moderator, oldest first. @param after an id */
export async function readPending(
  db: Database,
  callerId: string,
  after: string,
  limit: number,
): Promise<Case[]> {
  const pendingPosts = await db
    .selectFrom('pending_posts')
    .selectAll()
    .where('rejected_by', 'is', null)
    .where('account_id', '<>', callerId)
    .where(sql<SqlBool>`not ${isOfHidden}`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'about', 'img', 'created_at_ms'])
    .where(isWaiting)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const posts = pendingPosts.map((row): Case => {
    const post = postOf(row);
    return {
      ...unreported,
      id: row.id,
      subject_kind: row.kind,
      subject_id: row.id,
      account_id: row.account_id,
      text: textOf(post),
      revision: 0,
      images: JSON.stringify(imagesOf(post)),
      opened_at_ms: row.created_at_ms,
      pendingReason: row.reason,
      channel_id: row.channel_id,
      files: filesOf(post).map(({ url }) => url),
      event: post.kind === 'comment' ? post.content.event : null,
    };
  });
  const people = accounts.map(
    ({ id, about, img, created_at_ms: opened_at_ms }): Case => ({
      ...unreported,
      id,
      subject_kind: 'user',
      subject_id: id,
      account_id: id,
      text: toStoredText(about),
      revision: 0,
      opened_at_ms,
      pendingReason: 'sign_up',
      images: JSON.stringify(img ? [{ url: img, alt: '' }] : []),
    }),
  );
  return [...posts, ...people].sort((one, two) => (one.id < two.id ? -1 : 1)).slice(0, limit);
}

/** Counts posts and accounts waiting for approval by a moderator, up to `limit`. */
export async function countPending(db: Database, callerId: string, limit: number): Promise<number> {
  // Ordered and limited as in queries of pages, so that the indexes are used.
  const end = sql`and id > '' order by id limit ${limit}`;
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from (select id from pending_posts where rejected_by is null and account_id <> ${callerId}
      and not ${isOfHidden} ${end}) as posts)
    + (select count(*) from (select id from accounts where ${isWaiting} ${end}) as people)
    as count`.execute(db);
  return Math.min(limit, Number(rows[0]?.count));
}
