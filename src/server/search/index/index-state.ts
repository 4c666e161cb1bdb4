import { type Selectable, sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { analysisVersion } from './words.ts';

export type IndexState = Selectable<Tables['search_state']>;

/** What a build does, in this order. */
const phases = ['numbers', 'names', 'comments'];

/**
 * Creates the state of the search index when it is missing: at the first start of a version with
 * search, and after a restore. Reserves docs for the existing comments, which `buildIndex` indexes. Call
 * it before any comment is written.
 */
export async function prepareIndex(db: Database): Promise<void> {
  if (await readState(db)) return;
  await db.transaction().execute(async (trx) => {
    const created = await trx
      .insertInto('search_state')
      .values({ id: 1, version: analysisVersion, phase: 'numbers', position: 0 })
      // Another process may insert it at the same time.
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return;
    await internChannels(trx);
    const { count } = await trx
      .selectFrom('channels')
      .select((eb) => eb.fn.coalesce(eb.fn.sum('last_comment_number'), eb.lit(0)).as('count'))
      .executeTakeFirstOrThrow();
    const position = await reserveDocs(trx, Number(count));
    // A new site has nothing to be indexed.
    const account = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    await writeState(trx, account ? { position } : { phase: 'comments', position: 0 });
  });
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

/** Gives a number in the index to each channel without one, by channel id. */
export async function internChannels(trx: Database): Promise<void> {
  await sql`
    insert into search_channels (channel_id)
    select id from channels
    where not exists (select 1 from search_channels where channel_id = channels.id)
    order by id
  `.execute(trx);
}

/** Reserves consecutive docs. @returns the highest */
export async function reserveDocs(trx: Database, count: number): Promise<number> {
  if (count === 0) return 0;
  if (isPostgres(trx)) {
    // Inserts of other transactions take docs from the same sequence.
    await sql`lock table search_docs in share row exclusive mode`.execute(trx);
    const sequence = sql`pg_get_serial_sequence('search_docs', 'doc')`;
    const { rows } = await sql<{ highest: number }>`
      select setval(${sequence}, nextval(${sequence}) - 1 + ${count})::int as highest
    `.execute(trx);
    return rows[0]?.highest ?? 0;
  }
  // AUTOINCREMENT continues after the highest number that was ever inserted.
  const { rows } = await sql<{ doc: number }>`
    insert into search_docs (doc, channel, number)
    values (${count} + coalesce((select seq from sqlite_sequence where name = 'search_docs'), 0), 0, 0)
    returning doc
  `.execute(trx);
  await trx.deleteFrom('search_docs').where('channel', '=', 0).execute();
  return rows[0]?.doc ?? 0;
}
