import { type SqlBool, sql } from 'kysely';
import { parseCommentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { DecisionNotification } from '../../../shared/notifications.ts';
import { isNotUndone } from '../../accounts/standing/restrictions.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { subjectFor } from '../../moderation/decisions/decision-log.ts';
import { dayMs } from '../../system/times.ts';

/** How long a decision is listed, like other notifications. */
const listedMs = limits.notificationDays * dayMs;

/**
 * Whether the people concerned are told of a decision, as a condition on `decisions`. They are not told of dismissed
 * reports, and of an undone decision only that it was undone.
 */
const isTold = sql<SqlBool>`((decisions.action <> 'dismiss' or decisions.subject_kind = 'appeal')
  and ${isNotUndone('decisions')})`;

/**
 * Decisions that concern an account and of which it is told, from the index of its decisions.
 * @param account a reference to a column, or an id
 */
export const decisionsToldTo = (account: unknown, nowMs: number) => sql`decision_accounts
  join decisions on decisions.id = decision_accounts.decision_id
  where decision_accounts.account_id = ${account} and decisions.at_ms > ${nowMs - listedMs} and ${isTold}`;

const ifPublished = (what: string) => sql`case when decisions.action = 'approve'
  and decisions.subject_kind = 'comment' then ${sql.raw(what)} end`;

/** Whether a decision is unseen; a published comment also counts as seen once it is read. */
export const isUnseen = (accountId: string, seen: unknown) => sql<SqlBool>`(decisions.id > ${seen}
  and not exists (select 1 from reading_positions as read where read.account_id = ${accountId}
    and read.channel_id = ${ifPublished('substr(decisions.subject_id, 1, 36)')}
    and read.number >= ${ifPublished('cast(substr(decisions.subject_id, 38) as integer)')}))`;

interface DecisionRow extends Pick<DecisionNotification, 'action'> {
  id: string;
  subject_kind: Parameters<typeof subjectFor>[0]['subject_kind'];
  subject_id: string;
  reason: string;
  at_ms: number;
  is_new: number;
}

/**
 * The decisions of which an account is told, newest first, at most a hundred.
 * @param seen id of the newest decision that it has seen
 */
export async function listDecisionNotifications(
  db: Database,
  accountId: string,
  { seen, after, upTo }: { seen: string; after: string; upTo: string },
  nowMs: number,
): Promise<DecisionNotification[]> {
  const { rows } = await sql<DecisionRow>`
    select decisions.id, action, subject_kind, subject_id, reason, at_ms,
      case when ${isUnseen(accountId, seen)} then 1 else 0 end as is_new
    from ${decisionsToldTo(accountId, nowMs)}
      and decision_accounts.decision_id > ${after} and decision_accounts.decision_id <= ${upTo}
    order by decision_accounts.decision_id desc limit ${sql.lit(limits.listItems)}`.execute(db);
  const places = rows.map((row) => ({ row, place: placeOf(row) }));
  const ids = places.flatMap(({ place }) => place?.channelId ?? []);
  const channels =
    ids.length > 0
      ? await db
          .selectFrom('visible_channels')
          .select(['id', 'name'])
          .where('id', 'in', ids)
          .execute()
      : [];
  return places.map(({ row, place }) => {
    const channel = channels.find(({ id }) => id === place?.channelId);
    return {
      ...({ id: 0, kind: 'decision', decisionId: row.id, action: row.action } as const),
      subject: subjectFor(row, accountId).kind,
      channel: channel ? { _id: channel.id, name: channel.name } : null,
      number: (channel && place?.number) ?? null,
      ...{ excerpt: row.reason, createdAt: toInstant(Number(row.at_ms)), isNew: row.is_new === 1 },
    };
  });
}

/** The place of a post that the decision published. */
function placeOf({ action, subject_kind, subject_id }: DecisionRow) {
  if (action !== 'approve') return undefined;
  if (subject_kind === 'channel') return { channelId: subject_id, number: null };
  return subject_kind === 'comment' ? parseCommentId(subject_id) : undefined;
}
