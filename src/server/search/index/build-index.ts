import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isPostgres } from '../../database/is-postgres.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { CommentsWithoutDoc } from './comments-without-doc.ts';
import { indexChannel } from './index-channel.ts';
import { type Doc, indexDocs } from './index-docs.ts';
import {
  type IndexState,
  internChannels,
  lockState,
  readState,
  reserveDocs,
  writeState,
} from './index-state.ts';
import { createFtsTables } from './sqlite-index.ts';
import { analysisVersion } from './words.ts';

/** Channels and comments that one transaction indexes. */
const channelsAtOnce = 20;
const docsAtOnce = 200;
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
 * Indexes all channels and comments that are not indexed yet, newest first, in small transactions that
 * other writes can run between. After an interruption the next call continues. Only one process may run
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
  /** Collected when all comments with a doc are indexed. */
  #withoutDoc: CommentsWithoutDoc | undefined;
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
        if (state.version !== analysisVersion) await this.#startAgain();
        else if (state.next_channel > 0) await this.#indexChannels(state.next_channel);
        else if (state.next_doc === null) return;
        else if (state.next_doc > 0) await this.#indexWithDoc(state.next_doc);
        else await this.#indexWithoutDoc(state);
      } catch (error) {
        if (!(error instanceof StateChanged)) throw error;
        this.#withoutDoc = undefined;
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
  async #startAgain(): Promise<void> {
    // An index that is damaged again at once must not keep a processor busy.
    if (this.#hasStartedAgain) await delay(againMs);
    this.#hasStartedAgain = true;
    this.#withoutDoc = undefined;
    await this.#step(async (trx) => {
      if (!isPostgres(trx)) await createFtsTables(trx);
      const { highest } = await trx
        .selectFrom('search_docs')
        .select((eb) => eb.fn.max('doc').as('highest'))
        .executeTakeFirstOrThrow();
      await writeState(trx, {
        version: analysisVersion,
        next_channel: await internChannels(trx),
        next_doc: highest ?? 0,
      });
    });
  }

  /** Indexes the next channels, those with the highest numbers up to `from`. */
  async #indexChannels(from: number): Promise<void> {
    await this.#step(async (trx) => {
      const channels = await trx
        .selectFrom('search_channels')
        .select(['id', 'channel_id'])
        .where('id', '<=', from)
        .orderBy('id', 'desc')
        .limit(channelsAtOnce)
        .execute();
      // Ascending, because FTS5 writes to disk at each row that is lower than the one before.
      for (const { channel_id } of channels.toReversed()) {
        // The lock waits for running changes of the channel. Later changes index the channel themselves.
        const lock = trx.selectFrom('channels').select('id').where('id', '=', channel_id);
        const found = await (isPostgres(trx) ? lock.forShare() : lock).executeTakeFirst();
        // It may have been erased since the list was read.
        if (found) await indexChannel(trx, channel_id);
      }
      await writeState(trx, { next_channel: (channels.at(-1)?.id ?? 1) - 1 });
    });
  }

  /** Indexes the comments with docs in the window that ends with doc `from`. */
  async #indexWithDoc(from: number): Promise<void> {
    const next = startOfWindow(from);
    await this.#indexWindow(await this.#readDocs(next, from), { next_doc: next });
  }

  /** Gives a window of docs to comments without one, and indexes them. */
  async #indexWithoutDoc(state: IndexState): Promise<void> {
    this.#withoutDoc ??= await CommentsWithoutDoc.collect(this.#db, this.#signal, state.free_doc);
    const { count } = this.#withoutDoc;
    let end = state.free_doc;
    if (count === 0) {
      await this.#step((trx) => writeState(trx, { next_doc: null }));
    } else if (count > end) {
      // Comments were written while there was no index, so no docs are reserved for them.
      await this.#step(async (trx) => {
        await writeState(trx, { free_doc: await reserveDocs(trx, count) });
      });
    } else {
      const start = startOfWindow(end);
      // An interrupted build may have given some docs of the window to comments.
      const existing = await this.#readDocs(start, end);
      const taken = new Set(existing.map(({ doc }) => doc));
      const free: number[] = [];
      for (; end > start; end--) if (!taken.has(end)) free.push(end);
      const added = this.#withoutDoc
        .take(free.length)
        .map((key, index) => ({ ...key, doc: free[index] ?? 0 }));
      const docs = [...existing, ...added].sort((one, other) => one.doc - other.doc);
      await this.#indexWindow(docs, { free_doc: start });
    }
  }

  /** The docs above `start`, up to and including `end`, in ascending order. */
  #readDocs(start: number, end: number): Promise<Doc[]> {
    return this.#db
      .selectFrom('search_docs')
      .select(['doc', 'channel', 'number'])
      .where('doc', '>', start)
      .where('doc', '<=', end)
      .orderBy('doc')
      .execute();
  }

  /** @param docs in ascending order @param end state to write with the last doc */
  async #indexWindow(docs: Doc[], end: Partial<IndexState>): Promise<void> {
    for (let at = 0; ; ) {
      const done = await this.#step(async (trx) => {
        const done = await indexDocs(trx, docs.slice(at, at + docsAtOnce));
        if (at + done === docs.length) await writeState(trx, end);
        return done;
      });
      at += done;
      if (at === docs.length) return;
      if (done === 0) await delay(lockedMs);
    }
  }
}

function startOfWindow(end: number): number {
  return Math.floor((end - 1) / windowDocs) * windowDocs;
}
