import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isPostgres } from '../../database/is-postgres.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { indexChannel } from './index-channel.ts';
import { type DocPlace, indexDocs } from './index-docs.ts';
import {
  type IndexState,
  internChannels,
  lockState,
  readState,
  reserveDocs,
  writeState,
} from './index-state.ts';
import { createFtsTables } from './sqlite-index.ts';
import { UnplacedComments } from './unplaced-comments.ts';
import { analysisVersion } from './words.ts';

/** In one step. */
const channelsAtOnce = 20;
const docsAtOnce = 200;
/**
 * Docs indexed in ascending order, before those below them: inserting one after the other fills
 * SQLite's pages, inserting below the others leaves them half empty. An interrupted build repeats them.
 */
const windowDocs = 2048;
/** How long to wait for the transactions that have locked the next comment. */
const lockedMs = 20;
/** How long to wait before starting from the beginning once more. */
const againMs = 1000;

interface Services {
  db: Database;
  transact: Transact;
}

/**
 * Indexes what is not indexed yet: channels, then comments, the newest first, in small transactions
 * that other writes can run between. It can be repeated when it was interrupted at any step. Only one
 * process may run it at a time.
 * @param confirmLock called before each step @throws the reason of the signal; LockLost
 */
export function buildIndex(
  services: Services,
  signal: AbortSignal,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  return new IndexBuild(services, signal, confirmLock).run();
}

/**
 * A rebuild was asked for meanwhile; or another process has gone on with the build, because this one
 * was frozen and has lost the lock.
 */
class StateChanged extends Error {}

class IndexBuild {
  readonly #db: Database;
  readonly #transact: Transact;
  readonly #signal: AbortSignal;
  readonly #confirmLock: ConfirmLock;
  /** Read when all comments with a doc are indexed. */
  #unplaced: UnplacedComments | undefined;
  #hasStartedAgain = false;
  /** As the steps that follow expect it. */
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
        else if (state.next_doc > 0) await this.#indexPlaced(state.next_doc);
        else await this.#indexUnplaced(state);
      } catch (error) {
        if (!(error instanceof StateChanged)) throw error;
        this.#unplaced = undefined;
      }
    }
  }

  /** Runs a small transaction when other requests have had their turn. @throws StateChanged */
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

  /** Empties the index. Comments keep their docs, and so their order. */
  async #startAgain(): Promise<void> {
    // An index that is damaged again at once must not keep a processor busy.
    if (this.#hasStartedAgain) await delay(againMs);
    this.#hasStartedAgain = true;
    this.#unplaced = undefined;
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

  /** Some channels, from this one down. */
  async #indexChannels(from: number): Promise<void> {
    await this.#step(async (trx) => {
      const channels = await trx
        .selectFrom('search_channels')
        .select(['id', 'channel_id'])
        .where('id', '<=', from)
        .orderBy('id', 'desc')
        .limit(channelsAtOnce)
        .execute();
      // In ascending order, which FTS5 prefers.
      for (const { channel_id } of channels.toReversed()) {
        // Waits for changes of the channel, so that they are read or are indexed later.
        const lock = trx.selectFrom('channels').select('id').where('id', '=', channel_id);
        await (isPostgres(trx) ? lock.forShare() : lock).execute();
        await indexChannel(trx, channel_id);
      }
      await writeState(trx, { next_channel: (channels.at(-1)?.id ?? 1) - 1 });
    });
  }

  /** A window of comments that have docs, from this one down. */
  async #indexPlaced(from: number): Promise<void> {
    const next = startOfWindow(from);
    await this.#indexWindow(await this.#readPlaces(next, from), { next_doc: next });
  }

  /** A window of comments that have no docs, which they are given. */
  async #indexUnplaced(state: IndexState): Promise<void> {
    this.#unplaced ??= await UnplacedComments.collect(this.#db, this.#signal, state.free_doc);
    const { count } = this.#unplaced;
    let end = state.free_doc;
    if (count === 0) {
      await this.#step((trx) => writeState(trx, { next_doc: null }));
    } else if (count > end) {
      // These were written without the index. Nothing was kept free for them.
      await this.#step(async (trx) => {
        await writeState(trx, { free_doc: await reserveDocs(trx, count) });
      });
    } else {
      const start = startOfWindow(end);
      // An earlier build may have been interrupted within the window.
      const placed = await this.#readPlaces(start, end);
      const taken = new Set(placed.map(({ doc }) => doc));
      const free: number[] = [];
      for (; end > start; end--) if (!taken.has(end)) free.push(end);
      const added = this.#unplaced
        .take(free.length)
        .map((place, index) => ({ ...place, doc: free[index] ?? 0 }));
      const places = [...placed, ...added].sort((one, other) => one.doc - other.doc);
      await this.#indexWindow(places, { free_doc: start });
    }
  }

  /** Comments with docs above `start`, up to `end`, in ascending order. */
  #readPlaces(start: number, end: number): Promise<DocPlace[]> {
    return this.#db
      .selectFrom('search_docs')
      .select(['doc', 'channel', 'number'])
      .where('doc', '>', start)
      .where('doc', '<=', end)
      .orderBy('doc')
      .execute();
  }

  /** @param places in ascending order @param end written with the last of them */
  async #indexWindow(places: DocPlace[], end: Partial<IndexState>): Promise<void> {
    for (let at = 0; ; ) {
      const done = await this.#step(async (trx) => {
        const done = await indexDocs(trx, places.slice(at, at + docsAtOnce));
        if (at + done === places.length) await writeState(trx, end);
        return done;
      });
      at += done;
      if (at === places.length) return;
      if (done === 0) await delay(lockedMs);
    }
  }
}

function startOfWindow(end: number): number {
  return Math.floor((end - 1) / windowDocs) * windowDocs;
}
