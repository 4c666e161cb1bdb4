import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isPostgres } from '../database/is-postgres.ts';
import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { indexChannel } from './index-channel.ts';
import { type DocPlace, indexDocs } from './index-docs.ts';
import {
  type IndexState,
  internChannels,
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
/** How long to wait for the transactions that have locked the next comment. */
const lockedMs = 20;

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
export async function buildIndex(
  { db, transact }: Services,
  signal: AbortSignal,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  const placing = new Placing({ db, transact }, signal);
  for (;;) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    await confirmLock();
    const state = await readState(db);
    if (!state) return;
    if (state.version !== analysisVersion) {
      await startAgain(transact);
      placing.reset();
    } else if (state.next_channel > 0) {
      await indexChannels({ db, transact }, state.next_channel);
    } else if (state.next_doc === null) {
      return;
    } else {
      const places = await readPlaces(db, state.next_doc);
      if (places.length > 0) await indexPlaces(transact, state, places);
      // All comments that have a doc are indexed.
      else await placing.step(state);
    }
  }
}

/** Empties the index. Comments keep their docs, and so their order. */
async function startAgain(transact: Transact): Promise<void> {
  await transact('search index', async (trx) => {
    if (!isPostgres(trx)) await createFtsTables(trx);
    const state = await readState(trx);
    const { highest } = await trx
      .selectFrom('search_docs')
      .select((eb) => eb.fn.max('doc').as('highest'))
      .executeTakeFirstOrThrow();
    await writeState(trx, {
      version: analysisVersion,
      next_channel: await internChannels(trx),
      next_doc: Math.max(highest ?? 0, state?.next_doc ?? 0),
    });
  });
}

/** One step, from this channel down. */
async function indexChannels({ db, transact }: Services, from: number): Promise<void> {
  const channels = await db
    .selectFrom('search_channels')
    .select(['id', 'channel_id'])
    .where('id', '<=', from)
    .orderBy('id', 'desc')
    .limit(channelsAtOnce)
    .execute();
  await transact('search index', async (trx) => {
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

/** Comments with a doc, from this one down. */
function readPlaces(db: Database, from: number): Promise<DocPlace[]> {
  return db
    .selectFrom('search_docs')
    .select(['doc', 'channel', 'number'])
    .where('doc', '<=', from)
    .orderBy('doc', 'desc')
    .limit(docsAtOnce)
    .execute();
}

/** One step. @returns how many of the first places are done */
async function indexPlaces(
  transact: Transact,
  state: IndexState,
  places: DocPlace[],
): Promise<number> {
  const done = await transact('search index', async (trx) => {
    const done = await indexDocs(trx, places);
    const last = places[done - 1];
    if (last) {
      await writeState(trx, { next_doc: Math.min(state.next_doc ?? 0, last.doc - 1) });
    }
    return done;
  });
  if (done === 0) await delay(lockedMs);
  return done;
}

/** Gives docs to the comments that have none, and indexes them. */
class Placing {
  readonly #services: Services;
  readonly #signal: AbortSignal;
  #comments: UnplacedComments | undefined;
  /** The doc of the next comment. */
  #doc = 0;

  constructor(services: Services, signal: AbortSignal) {
    this.#services = services;
    this.#signal = signal;
  }

  reset(): void {
    this.#comments = undefined;
  }

  async step(state: IndexState): Promise<void> {
    const { db, transact } = this.#services;
    if (!this.#comments) {
      this.#comments = await UnplacedComments.collect(db, this.#signal);
      const { count } = this.#comments;
      const room = state.next_doc ?? 0;
      // Docs were kept free for the comments that existed. Others were written without the index.
      this.#doc =
        count <= room ? room : await transact('search index', (trx) => reserveDocs(trx, count));
    }
    const places = this.#comments
      .first(docsAtOnce)
      .map((place, index) => ({ ...place, doc: this.#doc - index }));
    if (places.length === 0) {
      await writeState(db, { next_doc: null });
      this.reset();
      return;
    }
    const done = await indexPlaces(transact, state, places);
    this.#comments.drop(done);
    this.#doc -= done;
  }
}
