import { type Insertable, sql } from 'kysely';
import type { NotificationKind } from '../../shared/notifications.ts';
import type { Database, Tables } from '../database/tables.ts';
import { mentionedAccounts, type StoredText } from '../texts/stored-text.ts';

/** People that a comment notifies by mentioning them, in addition to the author it replies to. */
const mostMentioned = 5;

/**
 * Writes the notifications of a comment for each account, except erased accounts and those that silenced the channel. One that was
 * already written is not written again.
 * @param event the comment concerned, the account that acted, and whether it edited the comment
 * @param kinds by the ids of the accounts to notify
 */
export async function writeNotifications(
  trx: Database,
  event: { channelId: string; number: number; actorId: string; isEdit?: boolean },
  kinds: ReadonlyMap<string, NotificationKind>,
  nowMs: number,
): Promise<void> {
  if (kinds.size === 0) return;
  const { channelId, number, actorId, isEdit = false } = event;
  const cases = [...kinds].map(([id, kind]) => sql`when ${id} then ${kind}`);
  await sql`
    insert into notifications (account_id, channel_id, number, kind, actor_id, created_at_ms, by_edit)
    select id, ${channelId}, cast(${number} as integer), case id ${sql.join(cases, sql` `)} end,
      ${actorId}, cast(${nowMs} as bigint), cast(${Number(isEdit)} as integer)
    from accounts
    where id in (${sql.join([...kinds.keys()])}) and erased_at_ms is null and not exists (
      select 1 from reading_positions
      where account_id = accounts.id and channel_id = ${channelId} and level = 'none')
    on conflict do nothing`.execute(trx);
}

/**
 * Tells the accounts that a decision concerns of it, but not of dismissed reports. The decision that undoes another
 * takes back the notification of that one, where it was not seen.
 */
export async function tellDecision(
  trx: Database,
  { id, action, subject_kind, undoes, at_ms }: Insertable<Tables['decisions']>,
): Promise<void> {
  if (undoes) {
    await trx
      .deleteFrom('notifications')
      .where('decision_id', '=', undoes)
      .where(({ eb, selectFrom }) =>
        eb(
          'notifications.id',
          '>',
          selectFrom('accounts')
            .select('notifications_seen_id')
            .whereRef('accounts.id', '=', 'notifications.account_id'),
        ),
      )
      .execute();
  }
  if (action === 'dismiss' && subject_kind !== 'appeal') return;
  await sql`
    insert into notifications (account_id, kind, decision_id, created_at_ms)
    select account_id, 'decision', decision_id, cast(${at_ms} as bigint)
    from decision_accounts where decision_id = ${id}`.execute(trx);
}

/**
 * Accounts to notify of an edit: those that the comment mentions now and did not before, as long as it has notified fewer
 * than `mostMentioned` by mentioning them. The author it replies to, who was notified of the reply, is none of them.
 */
export async function newlyMentioned(
  trx: Database,
  { channelId, number, actorId }: { channelId: string; number: number; actorId: string },
  { before, after }: { before: StoredText | null; after: StoredText },
): Promise<Map<string, 'mention'>> {
  const added = mentionedAccounts([after]).difference(mentionedAccounts([before]));
  if (added.size === 0) return new Map();
  const notified = await trx
    .selectFrom('notifications')
    .select(['account_id', 'kind'])
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .where('kind', 'in', ['reply', 'mention'])
    .execute();
  const others = added.difference(new Set([actorId, ...notified.map((one) => one.account_id)]));
  const mentioned = notified.filter(({ kind }) => kind === 'mention').length;
  const told = [...others].slice(0, Math.max(0, mostMentioned - mentioned));
  return new Map(told.map((id) => [id, 'mention']));
}

/** Accounts to notify of a comment: the author it replies to, and the first few other people it mentions. */
export function kindsOf(
  authorId: string,
  text: StoredText,
  answeredId: string | undefined,
): Map<string, 'reply' | 'mention'> {
  const mentioned = mentionedAccounts([text]).difference(new Set([authorId, answeredId]));
  const kinds = new Map<string, 'reply' | 'mention'>();
  if (answeredId !== undefined && answeredId !== authorId) kinds.set(answeredId, 'reply');
  for (const id of [...mentioned].slice(0, mostMentioned)) kinds.set(id, 'mention');
  return kinds;
}
