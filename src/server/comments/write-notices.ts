import { sql } from 'kysely';
import type { NoticeKind } from '../../shared/notices.ts';
import type { Database } from '../database/tables.ts';

/**
 * Writes a notice for each of the people whom something concerns, but for those who want none of the channel and those
 * whose account is erased. One that was written before is not written again.
 * @param event what was done, by whom, to the comment of this number
 * @param kinds by the ids of the accounts concerned
 */
export async function writeNotices(
  trx: Database,
  event: { channelId: string; number: number; actorId: string },
  kinds: ReadonlyMap<string, NoticeKind>,
  nowMs: number,
): Promise<void> {
  if (kinds.size === 0) return;
  const { channelId, number, actorId } = event;
  const cases = [...kinds].map(([id, kind]) => sql`when ${id} then ${kind}`);
  await trx
    .insertInto('notices')
    .columns(['account_id', 'channel_id', 'number', 'kind', 'actor_id', 'created_at_ms'])
    .expression(
      trx
        .selectFrom('accounts')
        .select([
          'id',
          sql<string>`${channelId}`.as('channel_id'),
          sql<number>`cast(${number} as integer)`.as('number'),
          sql<NoticeKind>`case id ${sql.join(cases, sql` `)} end`.as('kind'),
          sql<string>`${actorId}`.as('actor_id'),
          sql<number>`cast(${nowMs} as bigint)`.as('created_at_ms'),
        ])
        .where('id', 'in', [...kinds.keys()])
        .where('erased_at_ms', 'is', null)
        .where(({ selectFrom, not, exists }) =>
          not(
            exists(
              selectFrom('reading_positions')
                .select('level')
                .whereRef('account_id', '=', 'accounts.id')
                .where('channel_id', '=', channelId)
                .where('level', '=', 'none'),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
