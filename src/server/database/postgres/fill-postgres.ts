import { sql } from 'kysely';
import type { FillSteps } from '../engine-type.ts';
import type { Database } from '../tables.ts';
import { TargetInUse } from '../unfit-target.ts';
import { tryRestoreLocks } from './advisory-lock.ts';
import { listenerName } from './notify.ts';

/**
 * Fills a database in one transaction: a failure leaves it empty, and a starting server waits for the end.
 * @param db without statement timeouts @throws TargetInUse
 */
export function fillPostgres(
  db: Database,
  { requireEmpty, prepare, fill }: FillSteps,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryRestoreLocks(trx)))
      throw new TargetInUse('Another restore or a start works on the database: wait for it.');
    await requireEmpty(trx);
    await requireNoServer(trx);
    await prepare();
    await fill(trx);
    await requireNoServer(trx);
  });
}

/** @throws TargetInUse */
async function requireNoServer(trx: Database): Promise<void> {
  if (await isServed(trx)) throw new TargetInUse('A server runs on the database: stop it first.');
}

/** Whether a server runs on the database: each server process has a listening connection. */
export async function isServed(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName} limit 1
  `.execute(db);
  return rows.length > 0;
}
