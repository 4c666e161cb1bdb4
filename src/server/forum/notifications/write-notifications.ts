import { sql } from 'kysely';
import type { NotificationKind } from '../../../shared/notifications.ts';
import type { Database } from '../../database/tables.ts';

/**
 * Writes a notification for each of the people whom something concerns, but for those who want none of the channel and those
 * whose account is erased. One that was written before is not written again.
 * @param event what was done, by whom, to the comment of this number
 * @param kinds by the ids of the accounts concerned
 */
export async function writeNotifications(
  trx: Database,
  event: { channelId: string; number: number; actorId: string },
  kinds: ReadonlyMap<string, NotificationKind>,
  nowMs: number,
): Promise<void> {
  if (kinds.size === 0) return;
  const { channelId, number, actorId } = event;
  const cases = [...kinds].map(([id, kind]) => sql`when ${id} then ${kind}`);
  await sql`
    insert into notifications (account_id, channel_id, number, kind, actor_id, created_at_ms)
    select id, ${channelId}, cast(${number} as integer), case id ${sql.join(cases, sql` `)} end,
      ${actorId}, cast(${nowMs} as bigint)
    from accounts
    where id in (${sql.join([...kinds.keys()])}) and erased_at_ms is null and not exists (
      select 1 from reading_positions
      where account_id = accounts.id and channel_id = ${channelId} and level = 'none')
    on conflict do nothing`.execute(trx);
}
