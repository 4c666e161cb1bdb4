import { sql } from 'kysely';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';
import { timeSlices, type YieldIfDue } from '../overload/time-slices.ts';
import { completeComments } from './comment-details.ts';
import { firstWithin, jsonBytes, selectComments } from './comment-rows.ts';

interface CountedChannel {
  id: string;
  comment_count: number;
  last_comment_number: number;
}

/** Minimum bytes of a comment's JSON without its text. */
const fixedBytes = 380;
/** Minimum bytes of the JSON of an image. */
const imageBytes = 30;

/**
 * Estimates the bytes of a comment's JSON from lengths, without reading the text. Escapes are not counted,
 * and a mention has more bytes in JSON than in the stored text, unless the account is erased.
 */
const estimatedBytes = sql<number>`
  ${sql.lit(fixedBytes)} + octet_length(text) + image_count * ${sql.lit(imageBytes)}
`;

/** Comments read in one turn, so that a long list does not delay other requests. */
const readAtOnce = 250;

interface Bounds {
  /** Maximum number of comments of each channel. */
  embed: number;
  /** Maximum number of comments of all channels together. */
  maxComments: number;
  /** Maximum bytes of the JSON of all comments together. */
  maxBytes: number;
}

/**
 * The oldest comments of each channel, by channel id. When the bounds are too small for all, channels get
 * equally many.
 */
export async function listFirstComments(
  db: Database,
  channels: CountedChannel[],
  bounds: Bounds,
): Promise<Map<string, Comment[]>> {
  const yieldIfDue = timeSlices();
  const lastNumbers = new Map(channels.map((one) => [one.id, one.last_comment_number]));
  const most = await findCount(db, channels, bounds, yieldIfDue);
  const comments: { channelId: string; bytes: number; comment: Comment }[] = [];
  for (const queries of selectFirst(db, channels, most)) {
    await yieldIfDue();
    for (const comment of await completeComments(db, await readAll(queries))) {
      // A comment written after the channel was read is not in its `commentCount`.
      if (comment.number > (lastNumbers.get(comment.channelId) ?? 0)) continue;
      comments.push({ channelId: comment.channelId, bytes: jsonBytes(comment), comment });
    }
  }
  const taken = takeEvenly(comments, bounds);
  return new Map([...taken].map(([id, list]) => [id, list.map(({ comment }) => comment)]));
}

/**
 * How many comments of each channel to load. Reads the lengths of more than a hundred, so that at most one unused
 * text of each channel is loaded.
 */
async function findCount(
  db: Database,
  channels: CountedChannel[],
  bounds: Bounds,
  yieldIfDue: YieldIfDue,
): Promise<number> {
  const depth = findDepth(channels, bounds);
  if (channels.length * depth <= limits.listItems) return depth;
  const sizes: { channelId: string; bytes: number }[] = [];
  for (const queries of selectFirst(db, channels, depth)) {
    await yieldIfDue();
    const lengths = queries.map((query) =>
      query.clearSelect().select(['channel_id as channelId', estimatedBytes.as('bytes')]),
    );
    sizes.push(...(await readAll(lengths)));
  }
  return Math.max(0, ...[...takeEvenly(sizes, bounds).values()].map(({ length }) => length));
}

/** Comments of each channel that are enough for `maxComments` of all channels. */
function findDepth(channels: CountedChannel[], { embed, maxComments }: Bounds): number {
  let depth = 0;
  for (let total = 0; depth < embed && total < maxComments; depth++) {
    total += channels.filter(({ comment_count }) => comment_count > depth).length;
  }
  return depth;
}

/** The first item of each channel, then the second of each and so on, as many as the bounds allow. */
function takeEvenly<T extends { channelId: string; bytes: number }>(
  items: T[],
  { maxComments, maxBytes }: Bounds,
): Map<string, T[]> {
  const lists = [...Map.groupBy(items, ({ channelId }) => channelId).values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const rounds = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  );
  const fitting = firstWithin(maxBytes, rounds.flat().slice(0, maxComments), ({ bytes }) => bytes);
  return Map.groupBy(fitting, ({ channelId }) => channelId);
}

/** Yields the queries for the oldest `count` comments of each channel, for some channels at a time. */
function* selectFirst(db: Database, channels: CountedChannel[], count: number) {
  if (count === 0) return;
  const atOnce = Math.ceil(readAtOnce / count);
  for (let start = 0; start < channels.length; start += atOnce) {
    yield selectOfSome(db, channels.slice(start, start + atOnce), count);
  }
}

/** One query for all channels without gaps in their numbers, and one for each other channel or a single one. */
function selectOfSome(db: Database, channels: CountedChannel[], count: number) {
  const isSeparate = (one: CountedChannel) =>
    channels.length === 1 || one.comment_count < one.last_comment_number;
  const ids = channels.filter((one) => !isSeparate(one)).map(({ id }) => id);
  const separate = channels
    .filter(isSeparate)
    .map(({ id }) =>
      selectComments(db).where('channel_id', '=', id).orderBy('number').limit(count),
    );
  if (ids.length === 0) return separate;
  // Without the join and the limit, which is never exceeded, PostgreSQL would expect as many rows as long
  // channels have and read the whole table.
  const together = selectComments(db)
    .innerJoin('visible_channels', 'visible_channels.id', 'visible_comments.channel_id')
    .where('visible_channels.id', 'in', ids)
    .where('number', '<=', count)
    .orderBy('visible_channels.id')
    .orderBy('number')
    .limit(ids.length * count);
  return [together, ...separate];
}

/** Runs the queries one after the other, so that one request does not take all connections. */
async function readAll<T>(queries: { execute: () => Promise<T[]> }[]): Promise<T[]> {
  const rows: T[] = [];
  for (const query of queries) rows.push(...(await query.execute()));
  return rows;
}
