import { sql } from 'kysely';
import type { Comment } from '../../shared/comments.ts';
import type { Database } from '../database/tables.ts';
import { completeComments } from './comment-details.ts';
import { firstWithin, jsonBytes, selectComments } from './comment-rows.ts';

interface CountedChannel {
  id: string;
  comment_count: number;
  last_comment_number: number;
}

/** Bytes of a comment's JSON at least, besides its text, its author's name and their image's address. */
const fixedBytes = 380;
/** Bytes of the JSON of a mention and of an image, at least. */
const mentionBytes = 80;
const imageBytes = 30;

/** Bytes of a comment's JSON where nothing is escaped, from lengths, without reading the text. */
const leastBytes = sql<number>`
  ${fixedBytes} + octet_length(comments.text) + octet_length(accounts.name)
  + coalesce(octet_length(accounts.img), 0)
  + comments.mention_count * ${sql.lit(mentionBytes)} + comments.image_count * ${sql.lit(imageBytes)}
`;

/**
 * The oldest comments of each channel, by channel id: at most `embed` of each, and together at most
 * `maxBytes` of JSON. Where that is too little for all, channels get equally many. Reads the lengths
 * first, so that at most one text of each channel is loaded in vain.
 */
export async function listFirstComments(
  db: Database,
  channels: CountedChannel[],
  { embed, maxBytes }: { embed: number; maxBytes: number },
): Promise<Map<string, Comment[]>> {
  const sizes = await readAll(
    selectFirst(db, channels, embed).map((query) =>
      query.clearSelect().select(['comments.channel_id as channelId', leastBytes.as('bytes')]),
    ),
  );
  const fitting = takeInTurns(sizes, ({ bytes }) => bytes, maxBytes);
  const most = Math.max(0, ...[...fitting.values()].map((list) => list.length));
  const rows = await readAll(selectFirst(db, channels, most));
  return takeInTurns(await completeComments(db, rows), jsonBytes, maxBytes);
}

/** The first item of each channel, then the second of each and so on, as many as `maxBytes` allow. */
function takeInTurns<T extends { channelId: string }>(
  items: T[],
  bytesOf: (item: T) => number,
  maxBytes: number,
): Map<string, T[]> {
  const lists = [...Map.groupBy(items, ({ channelId }) => channelId).values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const rounds = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  );
  const fitting = firstWithin(maxBytes, rounds.flat(), bytesOf);
  return Map.groupBy(fitting, ({ channelId }) => channelId);
}

/**
 * Queries that together find the oldest `count` comments of each channel: one for all channels whose
 * numbers have no gaps, and one for each of the few channels from which comments were removed.
 */
function selectFirst(db: Database, channels: CountedChannel[], count: number) {
  if (count === 0) return [];
  const hasGaps = (one: CountedChannel) => one.comment_count < one.last_comment_number;
  const ids = channels.filter((one) => !hasGaps(one)).map(({ id }) => id);
  const withGaps = channels
    .filter(hasGaps)
    .map(({ id }) =>
      selectComments(db).where('channel_id', '=', id).orderBy('number').limit(count),
    );
  if (ids.length === 0) return withGaps;
  // The join with channels and the limit, which is never exceeded, are for PostgreSQL: it would
  // expect as many rows as long channels have, and read the whole table.
  const withoutGaps = selectComments(db)
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .where('channels.id', 'in', ids)
    .where('number', '<=', count)
    .orderBy('channels.id')
    .orderBy('number')
    .limit(ids.length * count);
  return [withoutGaps, ...withGaps];
}

/** One after the other, so that one request does not take all connections. */
async function readAll<T>(queries: { execute: () => Promise<T[]> }[]): Promise<T[]> {
  const rows: T[] = [];
  for (const query of queries) rows.push(...(await query.execute()));
  return rows;
}
