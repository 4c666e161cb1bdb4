import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { indexChannel } from './index-channel.ts';
import { firstDoc, indexDocs } from './index-docs.ts';
import { indexNames } from './index-names.ts';
import { emptyWords } from './index-rows.ts';
import { type IndexState, isDone, lockState, readState, writeState } from './index-state.ts';
import { findUnnumbered } from './unnumbered-comments.ts';
import { analysisVersion } from './words.ts';

/** Rows that one transaction numbers or indexes. */
const atOnce = { names: 200, channels: 20, comments: 400 };
/** The doc of the first comment of a site. */
const docsBegin = 1_000_000_000;
/** Delay before comments are tried again that another transaction has locked. */
const lockedMs = 20;
/** Delay before a build starts from the beginning a second time. */
const againMs = 1000;

interface Services {
  db: Database;
  transact: Transact;
}

/** Runs work in a transaction of its own, which also writes the state that work returns. */
type Step = (work: (trx: Database) => Promise<Partial<IndexState> | undefined>) => Promise<void>;

/**
 * Thrown when `search_state` has changed during the build: a rebuild was requested, or this process was
 * frozen and lost the lock, and another process continued the build.
 */
class StateChanged extends Error {}

/**
 * Numbers the comments that have no doc, the newest highest, and indexes names, channels and comments, the newest
 * first, in small transactions that other writes can run between. After an interruption the next call continues. Only
 * one process may run it at a time.
 * @param confirmLock called before each transaction @throws the reason of the signal; LockLost
 */
export async function buildIndex(
  { db, transact }: Services,
  signal: AbortSignal,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  let hasStartedAgain = false;
  for (;;) {
    let state = await readState(db);
    if (!state || isDone(state)) return;
    const step: Step = async (work) => {
      // In a new turn of the event loop, after waiting requests.
      await yieldToEventLoop();
      signal.throwIfAborted();
      await confirmLock();
      state = await transact('search index', async (trx) => {
        if (!isDeepStrictEqual({ ...(await lockState(trx)) }, { ...state }))
          throw new StateChanged();
        const changes = await work(trx);
        if (changes) await writeState(trx, changes);
        return { ...state, ...changes } as IndexState;
      });
    };
    const { version, phase, position } = state;
    try {
      if (version !== analysisVersion) {
        // An index that is damaged again at once must not keep a processor busy.
        if (hasStartedAgain) await delay(againMs);
        hasStartedAgain = true;
        await step(async (trx) => {
          await emptyWords(trx);
          return { version: analysisVersion, phase: 'numbers', position: 0 };
        });
      } else if (phase === 'numbers') await numberComments(db, signal, step);
      else if (phase === 'names') await indexNamesAndChannels(step);
      else await indexComments(step, position);
    } catch (error) {
      if (!(error instanceof StateChanged)) throw error;
    }
  }
}

/**
 * Gives docs to the comments without one, below those in the index: SQLite and PostgreSQL begin to count at a billion
 * (migration 020), so that comments that are written meanwhile get higher ones.
 */
async function numberComments(db: Database, signal: AbortSignal, step: Step): Promise<void> {
  await step(async (trx) => {
    await sql`
      insert into search_channels (channel_id) select id from channels
      where not exists (select 1 from search_channels where channel_id = channels.id) order by id
    `.execute(trx);
    return undefined;
  });
  for (const keys of await findUnnumbered(db, signal)) {
    await step(async (trx) => {
      const next = ((await firstDoc(trx, 'asc')) || docsBegin) - 1;
      const docs = keys.map(([channel, number], index) => ({ doc: next - index, channel, number }));
      const insert = trx.insertInto('search_docs').values(docs.reverse());
      await insert.onConflict((conflict) => conflict.doNothing()).execute();
      return undefined;
    });
  }
  await step(async () => ({ phase: 'names' }));
}

async function indexNamesAndChannels(step: Step): Promise<void> {
  await indexAll(step, 'accounts', atOnce.names, async (trx, ids) => {
    const named = trx.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids);
    await indexNames(trx, await named.where('erased_at_ms', 'is', null).execute());
  });
  await indexAll(step, 'channels', atOnce.channels, async (trx, ids) => {
    for (const id of ids) await indexChannel(trx, id);
  });
  await step(async (trx) => ({ phase: 'comments', position: await firstDoc(trx, 'desc') }));
}

async function indexAll(
  step: Step,
  table: 'accounts' | 'channels',
  limit: number,
  index: (trx: Database, ids: string[]) => Promise<void>,
): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const after: string = last;
    await step(async (trx) => {
      const query = trx.selectFrom(table).select('id').where('id', '>', after);
      // The lock waits for running changes. Later changes index the row themselves.
      const rows = await query
        .orderBy('id')
        .limit(limit)
        .$if(isPostgres(trx), (query) => query.forShare())
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await index(trx, ids);
      last = ids.length < limit ? undefined : ids.at(-1);
      return undefined;
    });
  }
}

/** Indexes the next comments, those with the highest docs up to `from`. */
async function indexComments(step: Step, from: number): Promise<void> {
  let isLocked = false;
  await step(async (trx) => {
    const rows = await trx
      .selectFrom('search_docs')
      .select('doc')
      .where('doc', '<=', from)
      .orderBy('doc', 'desc')
      .limit(atOnce.comments)
      .execute();
    if (rows.length === 0) return { position: 0 };
    const done = await indexDocs(
      trx,
      rows.map(({ doc }) => doc),
    );
    isLocked = done === 0;
    return isLocked ? undefined : { position: (rows[done - 1]?.doc ?? from) - 1 };
  });
  if (isLocked) await delay(lockedMs);
}
