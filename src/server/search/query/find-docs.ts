import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../database/errors.ts';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { timeSlices, type YieldIfDue } from '../../overload/time-slices.ts';
import {
  channelToken,
  type DocRange,
  type Level,
  partsInNext,
  rangeBelow,
} from '../index/partition-tokens.ts';
import type { Query } from './parse-query.ts';
import type { FoundDocs } from './postgres-search.ts';
import * as postgres from './postgres-search.ts';
import * as sqlite from './sqlite-search.ts';
import { isCollected, type Terms } from './terms.ts';

/** Time after which a search ends; its result says where to continue. */
const budgetMs = 1000;
/** Target duration of the search of one part, which on SQLite blocks the event loop. */
const partMicros = 12_000;

export interface DocSearch {
  query: Query;
  /** Restricts the search to this channel. */
  channelId?: string | undefined;
  /** Excludes these channels, by `search_channels.id`. */
  withoutChannels?: Iterable<number>;
  /** Restricts the search to docs below this one; undefined for all. */
  before?: number | undefined;
  limit: number;
}

/**
 * Finds comments with the search index, newest first. Without required words it finds nothing.
 * @throws DatabaseUnavailable when PostgreSQL takes too long even for a small part
 */
export async function findDocs(
  db: Database,
  search: DocSearch,
  yieldIfDue: YieldIfDue = timeSlices(),
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
  // Request one more, to know whether anything is left.
  const { docs, rest } = await searchParts(db, terms, end, limit + 1, yieldIfDue);
  return docs.length > limit
    ? { docs: docs.slice(0, limit), rest: docs[limit - 1] ?? null }
    : { docs, rest };
}

/** Finds ids of visible channels whose name or description matches, newest first. Phrases are not checked. */
export async function findChannels(db: Database, query: Query, limit: number): Promise<string[]> {
  if (query.required.length === 0) return [];
  return isPostgres(db)
    ? postgres.findChannels(db, query, limit)
    : sqlite.findChannels(db, query, limit);
}

/** Searches part by part, newest first, with larger parts while they take little time. */
async function searchParts(
  db: Database,
  terms: Terms,
  end: number,
  wanted: number,
  yieldIfDue: YieldIfDue,
): Promise<FoundDocs> {
  const startMs = performance.now();
  const newest = isPostgres(db) ? await postgres.findNewest(db, terms, end, wanted) : undefined;
  const docs = newest?.docs ?? [];
  let rest = newest?.rest ?? end;
  let level = firstLevel(terms, newest);
  /** Duration of a part that does not depend on its size. */
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
    await yieldIfDue();
  }
  return { docs, rest: docs.length < wanted ? null : rest };
}

function firstLevel(terms: Terms, newest: postgres.NewestDocs | undefined): Level {
  if (newest) return newest.docs.length === 0 ? 1 : 0;
  // For each part, whatever its size, SQLite collects everything that begins with a prefix again.
  return terms.required.flat().some(isCollected) ? 2 : 0;
}

/** @param growingMicros the share of the last part's time that depended on its size */
function nextLevel(level: Level, growingMicros: number): Level {
  if (growingMicros > partMicros) return smaller(level);
  return growingMicros * partsInNext > partMicros ? level : larger(level);
}

const smaller = (level: Level): Level => (level === 2 ? 1 : 0);
const larger = (level: Level): Level => (level === 0 ? 1 : 2);

/** @returns undefined when the range has too many matches for PostgreSQL to sort */
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
