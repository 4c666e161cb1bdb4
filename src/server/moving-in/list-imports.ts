import { Value } from 'typebox/value';
import { type ChatImport, Plan } from '../../shared/moving-in.ts';
import { type Database, toInstant } from '../database/tables.ts';
import { parseLeftOut } from './begin-import.ts';

const mostListed = 20;
/** An import that writes nothing for longer was interrupted. */
const silentMs = 120_000;

/** The newest chats that moved in, or are being brought. */
export async function listImports(db: Database, nowMs: number): Promise<ChatImport[]> {
  const rows = await db
    .selectFrom('imports')
    .innerJoin('channels', 'channels.id', 'imports.channel_id')
    .select(['imports.channel_id', 'name', 'state', 'done', 'total', 'left_out'])
    .select(['started_at_ms', 'changed_at_ms', 'closed_at_ms'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('imported_people')
          .select('account_id')
          .whereRef('imported_people.channel_id', '=', 'imports.channel_id')
          .where('claimed_by', 'is not', null),
      ).as('is_claimed'),
    )
    .where('deleted_at_ms', 'is', null)
    .orderBy('imports.channel_id', 'desc')
    .limit(mostListed)
    .execute();
  return rows.map(({ channel_id, name, state, done, total, left_out, ...row }) => ({
    ...{ channelId: channel_id, name, done, total },
    state: state === 'running' && nowMs - row.changed_at_ms > silentMs ? 'stopped' : state,
    leftOut: parseLeftOut(left_out),
    startedAt: toInstant(row.started_at_ms),
    // SQLite answers 0 or 1.
    isClaimed: Boolean(row.is_claimed),
    isClosed: row.closed_at_ms !== null,
  }));
}

/** The decisions of an import that was interrupted, if they are about all of these people. */
export async function findDecided(
  db: Database,
  people: { source: string }[],
): Promise<Plan | undefined> {
  const rows = await db.selectFrom('imports').select('plan').where('plan', '<>', '').execute();
  const plans = rows.map(({ plan }) => Value.Parse(Plan, JSON.parse(plan)));
  const decides = (plan: Plan, source: string) => plan.people.some((one) => one.source === source);
  return plans.find((plan) => people.every(({ source }) => decides(plan, source)));
}

/** Lets an import that is running stop after its present batch. */
export async function cancelImports(db: Database, nowMs: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'cancelled', plan: '', changed_at_ms: nowMs })
    .where('state', '=', 'running')
    .execute();
}
