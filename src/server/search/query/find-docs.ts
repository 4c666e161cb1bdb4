import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../database/errors.ts';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { type TakeTurn, takeTurns } from '../../overload/take-turns.ts';
import {
  channelToken,
  type DocRange,
  type Level,
  partsInNext,
  rangeBelow,
} from '../index/place-tokens.ts';
import type { Query } from './parse-query.ts';
import type { FoundDocs } from './postgres-search.ts';
import * as postgres from './postgres-search.ts';
import * as sqlite from './sqlite-search.ts';
import { isCollected, type Terms } from './terms.ts';

/** A search ends after so long, and its answer says where it goes on. */
const budgetMs = 1000;
/** How long the search of one part should hold the event loop, which it does on SQLite. */
const partMicros = 12_000;

export interface DocSearch {
  query: Query;
  /** Only in this channel. */
  channelId?: string | undefined;
  /** Not in these channels, by `search_channels.id`. */
  withoutChannels?: Iterable<number>;
  /** Only docs below this one; undefined for all. */
  before?: number | undefined;
  limit: number;
}

/**
 * Finds comments by the search index, the newest first. Without required words it finds nothing.
 * @throws DatabaseUnavailable when PostgreSQL takes too long even for a small part
 */
export async function findDocs(
  db: Database,
  search: DocSearch,
  takeTurn: TakeTurn = takeTurns(),
): Promise<FoundDocs> {
  const { query, channelId, withoutChannels = [], before, limit } = search;
  if (query.required.length === 0) return { docs: [], rest: null };
  const required = isPostgres(db)
    ? [...query.required]
    : [...(await sqlite.withoutCrowdedPrefixes(db, query.required))];
  if (channelId !== undefined) {
    const channel = await channelNumber(db, channelId);
    if (channel === undefined) return { docs: [], rest: null };
    required.push([{ token: channelToken(channel), isPrefix: false }]);
  }
  const excluded = [...query.excluded, ...Array.from(withoutChannels, channelToken)];
  const terms = { required, excluded };
  const end = Math.min(before ?? Number.POSITIVE_INFINITY, (await highestDoc(db)) + 1);
  // One more tells whether anything is left.
  const { docs, rest } = await searchParts(db, terms, end, limit + 1, takeTurn);
  return docs.length > limit
    ? { docs: docs.slice(0, limit), rest: docs[limit - 1] ?? null }
    : { docs, rest };
}

/**
 * Ids of visible channels whose name or description matches, the newest first. Phrases are not
 * checked.
 */
export async function findChannels(db: Database, query: Query, limit: number): Promise<string[]> {
  if (query.required.length === 0) return [];
  return isPostgres(db)
    ? postgres.findChannels(db, query, limit)
    : sqlite.findChannels(db, query, limit);
}

/** Searches part by part, the newest first, and larger parts while they take little time. */
async function searchParts(
  db: Database,
  terms: Terms,
  end: number,
  wanted: number,
  takeTurn: TakeTurn,
): Promise<FoundDocs> {
  const startMs = performance.now();
  const newest = isPostgres(db) ? await postgres.findNewest(db, terms, end, wanted) : undefined;
  const docs = newest?.docs ?? [];
  let rest = newest?.rest ?? end;
  let level = firstLevel(terms, newest);
  /** What a part takes however small it is. */
  let leastMicros = Number.POSITIVE_INFINITY;
  while (docs.length < wanted && rest > 0) {
    if (performance.now() - startMs > budgetMs) return { docs, rest };
    const range = rangeBelow(rest, level);
    const used = process.threadCpuUsage();
    const found = await findIn(db, terms, range, wanted - docs.length, newest?.wordShare);
    const { user, system } = process.threadCpuUsage(used);
    if (found) {
      docs.push(...found);
      rest = range.start;
      leastMicros = Math.min(leastMicros, user + system);
      level = nextLevel(level, user + system - leastMicros);
    } else if (level > 0) {
      level = smaller(level);
    } else if (rest < end) {
      return { docs, rest };
    } else {
      throw new DatabaseUnavailable(new Error('the smallest part of the index took too long'));
    }
    await yieldToEventLoop();
    await takeTurn();
  }
  return { docs, rest: docs.length < wanted ? null : rest };
}

function firstLevel(terms: Terms, newest: postgres.NewestDocs | undefined): Level {
  if (newest) return newest.docs.length === 0 ? 1 : 0;
  // SQLite collects all that begins with a prefix for each part anew, and for parts of any size.
  return terms.required.flat().some(isCollected) ? 2 : 0;
}

/** @param growingMicros what the last part took because of its size */
function nextLevel(level: Level, growingMicros: number): Level {
  if (growingMicros > partMicros) return smaller(level);
  return growingMicros * partsInNext > partMicros ? level : larger(level);
}

const smaller = (level: Level): Level => (level === 2 ? 1 : 0);
const larger = (level: Level): Level => (level === 0 ? 1 : 2);

/** @returns undefined when there are too many in the range for PostgreSQL to sort */
function findIn(
  db: Database,
  terms: Terms,
  range: DocRange,
  wanted: number,
  wordShare = 1,
): Promise<number[] | undefined> {
  return isPostgres(db)
    ? postgres.findDocsIn(db, terms, range, wanted, wordShare)
    : sqlite.findDocsIn(db, terms, range, wanted);
}

async function channelNumber(db: Database, channelId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('search_channels')
    .select('id')
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return row?.id;
}

async function highestDoc(db: Database): Promise<number> {
  const row = await db
    .selectFrom('search_docs')
    .select('doc')
    .orderBy('doc', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.doc ?? 0;
}
