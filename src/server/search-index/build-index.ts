import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import type { ConfirmLock } from '../database/engine-type.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { indexChannel } from './index-channel.ts';
import { commentTokens } from './index-comment.ts';
import { indexNames } from './index-names.ts';
import { indexOf } from './index-of.ts';
import { type IndexState, isDone, readState, writeState } from './index-state.ts';
import type { NewRow, ReadComment } from './index-type.ts';
import { analysisVersion } from './words.ts';

/** Rows per transaction or query. */
const atOnce = { deleted: 2000, names: 200, channels: 100, read: 500, comments: 400, texts: 100 };
/** Time that one transaction spends analysing texts. Writing their words takes about as long. */
const analysedMs = 10;
/** First doc of comments written after the index was created; older comments have lower docs (001-baseline.ts). */
const docsBegin = 1_000_000_000;
/** Channels have docs below this one, comments above it. */
const channelsEnd = 100_000_000;
const hourMs = 3_600_000;
/** Delay before retrying a comment that another transaction has locked. */
const lockedMs = 20;
/** Delay before a build starts again. */
const againMs = 1000;

/** Part of a build, run in its own transaction. @returns changes to the state */
type Step = (trx: Database) => Promise<Partial<IndexState>>;

/** A comment without a doc. `channel` is the number of its channel in the index. */
interface Unindexed {
  ms: number;
  channel: number;
  number: number;
}

/**
 * Indexes names, channels and the comments that have no doc, newest first, in small transactions between which other
 * writes can run. After an interruption the next call continues. Only one process may run it at a time.
 * @param confirmLock called before each transaction @throws the reason of the signal; LockLost
 */
export async function buildIndex(
  { db, withTransaction }: { db: Database; withTransaction: WithTransaction },
  signal: AbortSignal,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    let state = await readState(db);
    if (!state || isDone(state)) return;
    // Without a delay, an index that is damaged again at once would keep a processor busy.
    if (!isFirst) await delay(againMs);
    for await (const step of stepsFrom(db, state)) {
      // Let waiting requests run first.
      await yieldToEventLoop();
      signal.throwIfAborted();
      if (!step) continue;
      await confirmLock();
      const before: IndexState = state;
      const next = await withTransaction('search index', async (trx) => {
        // A step that is lost in a crash is repeated, so its commit need not be durable.
        await engineOf(trx).commitLazily(trx);
        // A rebuild was requested, or this process was frozen and another one has continued the build.
        if (!isDeepStrictEqual({ ...(await readState(trx, true)) }, { ...before }))
          return undefined;
        const after = { ...before, ...(await step(trx)) };
        await writeState(trx, after);
        return after;
      });
      if (!next) break;
      state = next;
    }
  }
}

/** The steps of a build; yields undefined between reads of many rows. */
async function* stepsFrom(
  db: Database,
  { version, remaining }: IndexState,
): AsyncGenerator<Step | undefined> {
  if (version !== analysisVersion) yield* emptyIndex();
  if (version !== analysisVersion || remaining === null) {
    yield* indexAll('accounts', atOnce.names, async (trx, ids) => {
      const named = trx.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids);
      await indexNames(trx, await named.where('erased_at_ms', 'is', null).execute());
    });
    yield* indexAll('channels', atOnce.channels, async (trx, ids) => {
      for (const id of ids) await indexChannel(trx, id);
    });
  }
  yield* indexComments(db);
}

/** Deletes all docs, including those written during the deletion, whose comments are indexed again. */
function* emptyIndex(): Generator<Step> {
  for (let isEmpty = false; !isEmpty; ) {
    yield async (trx) => {
      const some = trx.selectFrom('search_docs').select('doc').orderBy('doc').limit(atOnce.deleted);
      const deleted = await trx.deleteFrom('search_docs').where('doc', 'in', some).execute();
      isEmpty = deleted.every(({ numDeletedRows }) => numDeletedRows === 0n);
      if (!isEmpty) return {};
      await indexOf(trx).emptyWords(trx);
      return { version: analysisVersion, remaining: null };
    };
  }
}

function* indexAll(
  table: 'accounts' | 'channels',
  limit: number,
  index: (trx: Database, ids: string[]) => Promise<void>,
): Generator<Step> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const after: string = last;
    yield async (trx) => {
      const query = trx.selectFrom(table).select('id').where('id', '>', after);
      // The lock waits for changes in progress. Later changes index the row themselves.
      const rows = await query.orderBy('id').limit(limit).forNoKeyUpdate().execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await index(trx, ids);
      last = ids.length < limit ? undefined : ids.at(-1);
      return {};
    };
  }
}

async function* indexComments(db: Database): AsyncGenerator<Step | undefined> {
  // Grouped by hour, so that each sort is short.
  const hours = new Map<number, Unindexed[]>();
  let remaining = 0;
  for (let last = { channel_id: '', number: 0 }, isLast = false; !isLast; yield) {
    // The subquery runs once for each comment. For a join PostgreSQL might read all docs.
    const { rows } = await sql<Unindexed & { channel_id: string; doc: number | null }>`
      select c.channel_id, c.number, c.created_at_ms as ms, s.id as channel,
        (select doc from search_docs d where d.channel = s.id and d.number = c.number) as doc
      from comments c
      join search_channels s on s.channel_id = c.channel_id
      where (c.channel_id, c.number) > (${last.channel_id}, ${last.number})
      order by c.channel_id, c.number
      limit ${sql.lit(atOnce.read)}
    `.execute(db);
    for (const { ms, channel, number, doc } of rows) {
      if (doc !== null) continue;
      const hour = Math.floor(ms / hourMs);
      const ofHour = hours.get(hour) ?? [];
      ofHour.push({ ms, channel, number });
      hours.set(hour, ofHour);
      remaining++;
    }
    last = rows.at(-1) ?? last;
    isLast = rows.length < atOnce.read;
  }
  if (remaining === 0) yield async () => ({ remaining });
  const newest = newestFirst(hours);
  for (const some: Unindexed[] = []; ; ) {
    while (some.length < atOnce.comments) {
      const { value } = newest.next();
      if (!value) break;
      some.push(value);
    }
    if (some.length === 0) return;
    let done = 0;
    yield async (trx) => {
      done = await indexFirst(trx, some);
      return { remaining: remaining - done };
    };
    some.splice(0, done);
    remaining -= done;
    if (done === 0) await delay(lockedMs);
  }
}

function* newestFirst(hours: Map<number, Unindexed[]>): Generator<Unindexed, undefined> {
  for (const hour of [...hours.keys()].sort((a, b) => b - a)) {
    const newest = (hours.get(hour) ?? []).sort(
      (a, b) => b.ms - a.ms || b.channel - a.channel || b.number - a.number,
    );
    hours.delete(hour);
    yield* newest;
  }
  return undefined;
}

/**
 * Indexes the first of these comments as they are stored now, visible or not. Locks their rows, so that each
 * concurrent change is either read here or indexed after the commit. Stops before a comment that another transaction
 * has locked.
 * @returns how many were indexed or have been erased
 */
async function indexFirst(trx: Database, comments: Unindexed[]): Promise<number> {
  const docs = trx.selectFrom('search_docs').select('doc').where('doc', '>', channelsEnd);
  const lowest = await docs.orderBy('doc').limit(1).executeTakeFirst();
  const end = Math.min(lowest?.doc ?? docsBegin, docsBegin);
  const rows: NewRow[] = [];
  let found = new Map<number, ReadComment>();
  let done = 0;
  const endMs = performance.now() + analysedMs;
  for (const { channel, number } of comments) {
    if (done > 0 && performance.now() > endMs) break;
    const at = done % atOnce.texts;
    if (at === 0) found = await readComments(trx, comments.slice(done, done + atOnce.texts));
    const row = found.get(at);
    if (!row && (await isStored(trx, channel, number))) break;
    done++;
    if (!row) continue;
    const { text, authorId, channelId } = row;
    const tokens = commentTokens(channelId, { text, authorId });
    rows.push({ doc: end - 1 - rows.length, channel, number, tokens, isNew: true });
  }
  await indexOf(trx).insertRows(trx, rows);
  return done;
}

/** Comments by their index in `comments`, without erased ones and those that another transaction has locked. */
async function readComments(
  trx: Database,
  comments: Unindexed[],
): Promise<Map<number, ReadComment>> {
  const rows = await indexOf(trx).readComments(trx, comments);
  return new Map(rows.map((row) => [row.at, row]));
}

async function isStored(db: Database, channel: number, number: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from comments join search_channels on search_channels.channel_id = comments.channel_id
    where search_channels.id = ${channel} and comments.number = ${number}
  `.execute(db);
  return rows.length > 0;
}
