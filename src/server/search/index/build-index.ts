import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { indexChannel } from './index-channel.ts';
import { type Doc, indexDocs } from './index-docs.ts';
import { indexNames } from './index-names.ts';
import {
  type IndexState,
  internChannels,
  isDone,
  lockState,
  readState,
  reserveDocs,
  writeState,
} from './index-state.ts';
import { createFtsTables } from './sqlite-index.ts';
import { UnnumberedComments } from './unnumbered-comments.ts';
import { analysisVersion } from './words.ts';

/** Rows that one transaction numbers or indexes. */
const atOnce = { numbers: 2000, names: 200, channels: 20, comments: 200 };
/**
 * Docs of one window. Windows are indexed newest first, but the docs in each one ascending, because
 * descending inserts leave SQLite's pages half empty. An interrupted build repeats its window.
 */
const windowDocs = 2048;
/** Delay before the next comment is tried again when another transaction has locked it. */
const lockedMs = 20;
/** Delay before a build starts from the beginning a second time. */
const againMs = 1000;

interface Services {
  db: Database;
  transact: Transact;
}

/**
 * Numbers the comments that have no doc, the newest highest, and indexes names, channels and comments, the newest
 * first, in small transactions that other writes can run between. After an interruption the next call continues. Only one process may run
 * it at a time.
 * @param confirmLock called before each transaction @throws the reason of the signal; LockLost
 */
export function buildIndex(
  services: Services,
  signal: AbortSignal,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  return new IndexBuild(services, signal, confirmLock).run();
}

/**
 * Thrown when `search_state` has changed during the build: a rebuild was requested, or this process was
 * frozen and lost the lock, and another process continued the build.
 */
class StateChanged extends Error {}

class IndexBuild {
  readonly #db: Database;
  readonly #transact: Transact;
  readonly #signal: AbortSignal;
  readonly #confirmLock: ConfirmLock;
  #unnumbered: UnnumberedComments | undefined;
  #hasStartedAgain = false;
  /** The stored state that the next transaction expects; another one ends it with StateChanged. */
  #state: IndexState | undefined;

  constructor({ db, transact }: Services, signal: AbortSignal, confirmLock: ConfirmLock) {
    this.#db = db;
    this.#transact = transact;
    this.#signal = signal;
    this.#confirmLock = confirmLock;
  }

  async run(): Promise<void> {
    for (;;) {
      const state = await readState(this.#db);
      if (!state) return;
      this.#state = state;
      try {
        if (state.version !== analysisVersion) await this.#startAgain(state);
        else if (isDone(state)) return;
        else if (state.phase === 'numbers') await this.#number(state.position);
        else if (state.phase === 'names') await this.#indexNames();
        else if (state.phase === 'channels') await this.#indexChannels(state.position);
        else await this.#indexComments(state.position);
      } catch (error) {
        if (!(error instanceof StateChanged)) throw error;
        this.#unnumbered = undefined;
      }
    }
  }

  /** Runs a transaction in a new turn of the event loop, after waiting requests. @throws StateChanged */
  async #step<T>(work: (trx: Database) => Promise<T>): Promise<T> {
    await yieldToEventLoop();
    this.#signal.throwIfAborted();
    await this.#confirmLock();
    return this.#transact('search index', async (trx) => {
      const state = await lockState(trx);
      if (!isDeepStrictEqual({ ...state }, { ...this.#state })) throw new StateChanged();
      return work(trx);
    });
  }

  /** Empties the index. Comments keep their docs, so their order stays the same. */
  async #startAgain({ phase, position }: IndexState): Promise<void> {
    // An index that is damaged again at once must not keep a processor busy.
    if (this.#hasStartedAgain) await delay(againMs);
    this.#hasStartedAgain = true;
    this.#unnumbered = undefined;
    await this.#step(async (trx) => {
      if (!isPostgres(trx)) await createFtsTables(trx);
      await internChannels(trx);
      // Docs that are reserved for comments without one stay so.
      const reserved = phase === 'numbers' ? position : 0;
      await writeState(trx, { version: analysisVersion, phase: 'numbers', position: reserved });
    });
  }

  /** Gives the reserved docs up to `position` to the newest comments without one. */
  async #number(position: number): Promise<void> {
    this.#unnumbered ??= await UnnumberedComments.collect(this.#db, this.#signal);
    const unnumbered = this.#unnumbered;
    if (unnumbered.count === 0) {
      this.#unnumbered = undefined;
      await this.#step((trx) => writeState(trx, { phase: 'names', position: 0 }));
    } else if (unnumbered.count > position) {
      // Comments were written while there was no index, so no docs are reserved for them.
      await this.#step(async (trx) => {
        await writeState(trx, { position: await reserveDocs(trx, unnumbered.count) });
      });
    } else {
      const docs = unnumbered
        .take(atOnce.numbers)
        .map((key, index) => ({ ...key, doc: position - index }))
        .reverse();
      await this.#step(async (trx) => {
        await insertDocs(trx, docs);
        await writeState(trx, { position: position - docs.length });
      });
    }
  }

  async #indexNames(): Promise<void> {
    for (let last = '', isLast = false; !isLast; ) {
      last = await this.#step(async (trx) => {
        // The lock waits for running changes of the names.
        const accounts = await trx
          .selectFrom('accounts')
          .select(['id', 'name'])
          .where('id', '>', last)
          .where('erased_at_ms', 'is', null)
          .orderBy('id')
          .limit(atOnce.names)
          .$if(isPostgres(trx), (query) => query.forShare())
          .execute();
        await indexNames(trx, accounts);
        isLast = accounts.length < atOnce.names;
        if (isLast)
          await writeState(trx, { phase: 'channels', position: await highestChannel(trx) });
        return accounts.at(-1)?.id ?? last;
      });
    }
  }

  /** Indexes the next channels, those with the highest numbers up to `from`. */
  async #indexChannels(from: number): Promise<void> {
    await this.#step(async (trx) => {
      const channels = await trx
        .selectFrom('search_channels')
        .select(['id', 'channel_id'])
        .where('id', '<=', from)
        .orderBy('id', 'desc')
        .limit(atOnce.channels)
        .execute();
      // Ascending, because FTS5 writes to disk at each row that is lower than the one before.
      for (const { channel_id } of channels.toReversed()) {
        // The lock waits for running changes of the channel. Later changes index the channel themselves.
        const lock = trx.selectFrom('channels').select('id').where('id', '=', channel_id);
        const found = await (isPostgres(trx) ? lock.forShare() : lock).executeTakeFirst();
        // It may have been erased since the list was read.
        if (found) await indexChannel(trx, channel_id);
      }
      const left = (channels.at(-1)?.id ?? 1) - 1;
      const isLast = channels.length < atOnce.channels;
      const next = isLast
        ? { phase: 'comments', position: await highestDoc(trx) }
        : { position: left };
      await writeState(trx, next);
    });
  }

  /** Indexes the comments with the highest docs up to `from`. */
  async #indexComments(from: number): Promise<void> {
    const newest = await this.#db
      .selectFrom('search_docs')
      .select(['doc', 'channel', 'number'])
      .where('doc', '<=', from)
      .orderBy('doc', 'desc')
      .limit(windowDocs)
      .execute();
    const docs = newest.reverse();
    for (let at = 0; ; ) {
      const done = await this.#step(async (trx) => {
        const done = await indexDocs(trx, docs.slice(at, at + atOnce.comments));
        if (at + done === docs.length) await writeState(trx, { position: (docs[0]?.doc ?? 1) - 1 });
        return done;
      });
      at += done;
      if (at === docs.length) return;
      if (done === 0) await delay(lockedMs);
    }
  }
}

async function insertDocs(trx: Database, docs: Doc[]): Promise<void> {
  const values = docs.map(({ doc, channel, number }) => [doc, channel, number]);
  const rows = isPostgres(trx)
    ? sql`json_array_elements(${JSON.stringify(values)}::json)`
    : sql`json_each(${JSON.stringify(values)})`;
  const column = (index: number) => sql`cast(value->>${sql.lit(index)} as integer)`;
  await sql`
    insert into search_docs (doc, channel, number)
    select ${column(0)}, ${column(1)}, ${column(2)} from ${rows} as given where true
    on conflict do nothing
  `.execute(trx);
}

async function highestChannel(trx: Database): Promise<number> {
  const { highest } = await trx
    .selectFrom('search_channels')
    .select((eb) => eb.fn.max('id').as('highest'))
    .executeTakeFirstOrThrow();
  return highest ?? 0;
}

async function highestDoc(trx: Database): Promise<number> {
  const { highest } = await trx
    .selectFrom('search_docs')
    .select((eb) => eb.fn.max('doc').as('highest'))
    .executeTakeFirstOrThrow();
  return highest ?? 0;
}
