import type { Selectable } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { analysisVersion } from './words.ts';

export type IndexState = Selectable<Tables['search_state']>;

/** What a build does, in this order. */
const phases = ['numbers', 'names', 'comments'];

/**
 * Creates the state of the search index when it is missing: at the first start of a version with search, and after a
 * restore. A new site has nothing to be indexed.
 */
export async function prepareIndex(db: Database): Promise<void> {
  if (await readState(db)) return;
  const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  const phase = account ? 'numbers' : 'comments';
  await db
    .insertInto('search_state')
    .values({ id: 1, version: analysisVersion, phase, position: 0 })
    // Another process may insert it at the same time.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether every comment, channel and name is in the search index, analysed by this version. */
export async function isIndexComplete(db: Database): Promise<boolean> {
  const state = await readState(db);
  return state !== undefined && isDone(state);
}

export function isDone({ version, phase, position }: IndexState): boolean {
  return version === analysisVersion && phase === 'comments' && position === 0;
}

/** How far the index is built, for operators. */
export async function describeProgress(db: Database): Promise<string> {
  const state = await readState(db);
  if (state?.version !== analysisVersion) return 'it begins soon';
  const { phase, position } = state;
  const left = position > 0 ? `, ${position} left at most` : '';
  return `${phase} (${phases.indexOf(phase) + 1} of ${phases.length})${left}`;
}

/** Requests that the running server, or the next one that starts, builds the index again. */
export async function requestRebuild(db: Database): Promise<void> {
  await writeState(db, { version: 0 });
}

export function readState(db: Database): Promise<IndexState | undefined> {
  return selectState(db).executeTakeFirst();
}

/** Reads the state and locks it until the transaction ends. */
export function lockState(trx: Database): Promise<IndexState | undefined> {
  const state = selectState(trx);
  return (isPostgres(trx) ? state.forUpdate() : state).executeTakeFirst();
}

function selectState(db: Database) {
  return db.selectFrom('search_state').selectAll().where('id', '=', 1);
}

export async function writeState(db: Database, values: Partial<IndexState>): Promise<void> {
  await db.updateTable('search_state').set(values).where('id', '=', 1).execute();
}
