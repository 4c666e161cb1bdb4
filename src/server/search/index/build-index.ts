import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { isVisibleRow } from '../../database/visible-rows.ts';
import { channelNumber, indexChannel } from './index-channel.ts';
import { commentTokens } from './index-comment.ts';
import { indexNames } from './index-names.ts';
import { emptyWords, firstDoc, type IndexRow, writeWords } from './index-rows.ts';
import { type IndexState, isDone, readState, writeState } from './index-state.ts';
import { analysisVersion } from './words.ts';

/** Rows that one transaction numbers or indexes. */
const atOnce = { numbers: 1000, names: 200, channels: 100, comments: 400 };
/** Characters analysed in one transaction, which takes some milliseconds. */
const maxChars = 40_000;
/** The doc of the first comment of a site. */
const docsBegin = 1_000_000_000;
const hourMs = 3_600_000;
/** Delay before comments are tried again that another transaction has locked. */
const lockedMs = 20;
/** Delay before a build starts from the beginning a second time. */
const againMs = 1000;

/** A part of a build, in a transaction of its own. @returns changes of the state */
type Step = (trx: Database) => Promise<Partial<IndexState> | undefined>;

/** A comment without a doc. `channel` is the number of its channel in the index. */
interface Unnumbered {
  ms: number;
  channel: number;
  number: number;
}

/**
 * Numbers the comments that have no doc, the newest highest, and indexes names, channels and comments, the newest
 * first, in small transactions that other writes can run between. After an interruption the next call continues. Only
 * one process may run it at a time.
 * @param confirmLock called before each transaction @throws the reason of the signal; LockLost
 */
export async function buildIndex(
  { db, transact }: { db: Database; transact: Transact },
  signal: AbortSignal,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  for (let starts = 0; ; ) {
    const state = await readState(db);
    if (!state || isDone(state)) return;
    // An index that is damaged again at once must not keep a processor busy.
    if (state.version !== analysisVersion && ++starts > 1) await delay(againMs);
    for await (const step of stepsFrom(db, state)) {
      // In a new turn of the event loop, after waiting requests.
      await yieldToEventLoop();
      signal.throwIfAborted();
      if (!step) continue;
      await confirmLock();
      const goesOn = await transact('search index', async (trx) => {
        // A rebuild was requested, or this process was frozen and another one has continued the build.
        if (!isDeepStrictEqual({ ...(await readState(trx, true)) }, { ...state })) return false;
        const changes = await step(trx);
        if (changes) await writeState(trx, changes);
        return !changes;
      });
      if (!goesOn) break;
    }
  }
}

/** The steps until one changes the state; undefined between reads of many rows. */
async function* stepsFrom(
  db: Database,
  { version, phase, position }: IndexState,
): AsyncGenerator<Step | undefined> {
  if (version !== analysisVersion) {
    yield async (trx) => {
      await emptyWords(trx);
      return { version: analysisVersion, phase: 'numbers', position: 0 };
    };
  } else if (phase === 'numbers') {
    yield* numberComments(db);
    yield async () => ({ phase: 'names' });
  } else if (phase === 'names') {
    yield* indexAll('accounts', atOnce.names, async (trx, ids) => {
      const named = trx.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids);
      await indexNames(trx, await named.where('erased_at_ms', 'is', null).execute());
    });
    yield* indexAll('channels', atOnce.channels, async (trx, ids) => {
      for (const id of ids) await indexChannel(trx, id);
    });
    yield async (trx) => ({ phase: 'comments', position: await firstDoc(trx, 'desc') });
  } else {
    for (;;) {
      yield (trx) => indexComments(trx, position);
      await delay(lockedMs);
    }
  }
}

/**
 * Gives docs to the comments without one, below those in the index: SQLite and PostgreSQL begin to count at a billion
 * (migration 020), so that comments that are written meanwhile get higher ones.
 */
async function* numberComments(db: Database): AsyncGenerator<Step | undefined> {
  // Each hour is sorted apart, in a short time.
  const hours = new Map<number, Unnumbered[]>();
  for (let last = { channel_id: '', number: 0 }, isLast = false; !isLast; yield) {
    const { rows } = await sql<Unnumbered & { channel_id: string; doc: number | null }>`
      select c.channel_id, c.number, c.created_at_ms as ms, s.id as channel, d.doc
      from comments c
      join search_channels s on s.channel_id = c.channel_id
      left join search_docs d on d.channel = s.id and d.number = c.number
      where (c.channel_id, c.number) > (${last.channel_id}, ${last.number})
      order by c.channel_id, c.number
      limit ${sql.lit(atOnce.numbers)}
    `.execute(db);
    for (const { ms, channel, number, doc } of rows) {
      if (doc !== null) continue;
      const hour = Math.floor(ms / hourMs);
      const ofHour = hours.get(hour) ?? [];
      ofHour.push({ ms, channel, number });
      hours.set(hour, ofHour);
    }
    last = rows.at(-1) ?? last;
    isLast = rows.length < atOnce.numbers;
  }
  for (const hour of [...hours.keys()].sort((a, b) => b - a)) {
    const newest = (hours.get(hour) ?? []).sort(
      (a, b) => b.ms - a.ms || b.channel - a.channel || b.number - a.number,
    );
    hours.delete(hour);
    while (newest.length > 0) {
      const some = newest.splice(0, atOnce.numbers);
      yield async (trx) => {
        const next = ((await firstDoc(trx, 'asc')) || docsBegin) - 1;
        const docs = some.map(({ channel, number }, at) => ({ doc: next - at, channel, number }));
        const insert = trx.insertInto('search_docs').values(docs.reverse());
        await insert.onConflict((conflict) => conflict.doNothing()).execute();
        return undefined;
      };
    }
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
    };
  }
}

/**
 * Indexes the next comments as they are stored now, visible or not, those with the highest docs up to `from`. Locks
 * their rows, so that each concurrent change is either read here or indexed after the commit.
 * @returns undefined when another transaction has locked the first one
 */
async function indexComments(
  trx: Database,
  from: number,
): Promise<Partial<IndexState> | undefined> {
  const query = trx.selectFrom('search_docs').select('doc').where('doc', '<=', from);
  const comments = query.where('number', '!=', channelNumber);
  const next = await comments.orderBy('doc', 'desc').limit(atOnce.comments).execute();
  const [first] = next;
  if (!first) return { position: 0 };
  const found = await readComments(
    trx,
    next.map(({ doc }) => doc),
  );
  const rows: IndexRow[] = [];
  let chars = 0;
  for (const { doc } of next) {
    const row = found.get(doc);
    if (!row || chars > maxChars) break;
    const { text, authorId, channelId } = row;
    chars += text?.length ?? 0;
    const tokens = text === null ? undefined : commentTokens(channelId, { text, authorId });
    rows.push({ doc, tokens });
  }
  await writeWords(trx, rows);
  const last = rows.at(-1)?.doc ?? ((await deleteErased(trx, first.doc)) ? first.doc : undefined);
  return last === undefined ? undefined : { position: last - 1 };
}

interface Row {
  doc: number;
  channelId: string;
  authorId: string;
  /** Null for a comment that is not visible. */
  text: StoredText | null;
}

/** Comments by doc, without erased ones and those that another transaction has locked. */
async function readComments(trx: Database, docs: number[]): Promise<Map<number, Row>> {
  // PostgreSQL runs lateral subqueries once for each doc. With plain joins it might read whole channels.
  const [lateral, end] = isPostgres(trx)
    ? [
        sql`lateral`,
        sql`where channel_id = s.channel_id and number = d.number limit 1 for share skip locked`,
      ]
    : [sql``, sql``];
  const { rows } = await sql<Row>`
    select d.doc, s.channel_id as "channelId", c.account_id as "authorId", c.text
    from search_docs d
    join search_channels s on s.id = d.channel
    join ${lateral} (
      select channel_id, number, account_id, case when ${isVisibleRow} then text end as text
      from comments ${end}
    ) c on c.channel_id = s.channel_id and c.number = d.number
    where d.doc in (${sql.join(docs)})
  `.execute(trx);
  return new Map(rows.map((row) => [row.doc, row]));
}

/** Deletes a doc whose comment was erased after it got its number. @returns whether it was deleted */
async function deleteErased(trx: Database, doc: number): Promise<boolean> {
  const { rows } = await sql`
    delete from search_docs where doc = ${doc} and not exists (
      select 1 from comments join search_channels on search_channels.channel_id = comments.channel_id
      where search_channels.id = search_docs.channel and comments.number = search_docs.number
    ) returning doc
  `.execute(trx);
  return rows.length > 0;
}
