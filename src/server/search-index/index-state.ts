import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import { analysisVersion } from './words.ts';

export type IndexState = Pick<Selectable<Tables['search_state']>, 'version' | 'remaining'>;

/**
 * Creates the state of the search index when it is missing: at the first start, and after a restore. A new site has
 * nothing to be indexed. Numbers the channels, so that comments can be indexed at once.
 */
export async function prepareIndex(db: Database): Promise<void> {
  if (await readState(db)) {
    // An import that was killed could not request it.
    const begun = db.selectFrom('imports').select('channel_id').where('state', '=', 'running');
    if (await begun.executeTakeFirst()) await requestIndexing(db);
    return;
  }
  const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  await sql`
    insert into search_channels (channel_id) select id from channels
    where not exists (select 1 from search_channels where channel_id = channels.id) order by id
  `.execute(db);
  await db
    .insertInto('search_state')
    .values({ id: 1, version: account ? 0 : analysisVersion, remaining: 0 })
    // Another process may insert it at the same time.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether every comment, channel and name is in the search index, analysed by this version. */
export async function isIndexComplete(db: Database): Promise<boolean> {
  const state = await readState(db);
  return state !== undefined && isDone(state);
}

export function isDone({ version, remaining }: IndexState): boolean {
  return version === analysisVersion && remaining === 0;
}

/** How far the index is built, for operators. */
export async function describeProgress(db: Database): Promise<string> {
  const state = await readState(db);
  if (state?.version !== analysisVersion) return 'it begins soon';
  return state.remaining === null ? 'names and channels' : `${state.remaining} comments left`;
}

/** Requests that the running server, or the next one that starts, builds the index again. */
export async function requestRebuild(db: Database): Promise<void> {
  await writeState(db, { version: 0 });
}

/** Requests that the server, or the next one that starts, adds the comments that were written without being indexed. */
export async function requestIndexing(db: Database): Promise<void> {
  await db
    .updateTable('search_state')
    // Another value than before makes a build in progress look again.
    .set((eb) => ({ remaining: eb('remaining', '+', 1) }))
    .where('id', '=', 1)
    .execute();
}

/** Requests that the next housekeeping merges the index, because it still has words of what is erased. */
export async function requestMerge(db: Database): Promise<void> {
  await db.updateTable('search_state').set({ merge_at_ms: 0 }).where('id', '=', 1).execute();
}

/** @param isLocked whether the state is locked until the transaction ends */
export function readState(db: Database, isLocked = false): Promise<IndexState | undefined> {
  const query = db.selectFrom('search_state').select(['version', 'remaining']);
  return query
    .where('id', '=', 1)
    .$if(isLocked, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

export async function writeState(db: Database, values: Partial<IndexState>): Promise<void> {
  await db.updateTable('search_state').set(values).where('id', '=', 1).execute();
}
