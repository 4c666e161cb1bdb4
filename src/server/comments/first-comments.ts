import { sql } from 'kysely';
import type { Comment } from '../../shared/comments.ts';
import type { Database } from '../database/tables.ts';
import { jsonBytes, listComments, selectComments, toComment } from './comment-queries.ts';

interface CountedChannel {
  id: string;
  comment_count: number;
  last_comment_number: number;
}

/** Bytes of a comment's JSON at least, besides its text, its author's name and their image's address. */
const fixedBytes = 220;

/**
 * The oldest comments of each channel, by channel id: at most `embed` of each, and together at most
 * `maxBytes` of JSON. Where that is too little for all, channels get equally many. Reads
 * lengths first, and then only texts that would fit if nothing in them had to be escaped.
 */
export async function listFirstComments(
  db: Database,
  channels: CountedChannel[],
  { embed, maxBytes }: { embed: number; maxBytes: number },
): Promise<Map<string, Comment[]>> {
  if (embed === 0) return new Map();
  // Where comments were removed, numbers do not tell which are the first: few channels.
  const parted = channels.filter((one) => one.comment_count < one.last_comment_number);
  const whole = channels.filter((one) => one.comment_count === one.last_comment_number);
  const sizes = await listFirstSizes(db, whole, embed);
  for (const { id } of parted) sizes.set(id, await listSizes(db, id, embed));

  const counts = countsWithin(sizes, maxBytes);
  const found = await listFirstNumbers(db, whole, counts);
  for (const { id } of parted) {
    const limit = counts.get(id) ?? 0;
    if (limit > 0) found.set(id, (await listComments(db, id, { limit, afterNumber: 0 })).data);
  }
  const exact = channels.map(({ id }): [string, number[]] => [
    id,
    found.get(id)?.map(jsonBytes) ?? [],
  ]);
  const fitting = countsWithin(new Map(exact), maxBytes);
  return new Map([...found].map(([id, comments]) => [id, comments.slice(0, fitting.get(id) ?? 0)]));
}

/** How many comments of each channel fit, when each gets its first, then each its second and so on. */
function countsWithin(sizes: Map<string, number[]>, maxBytes: number): Map<string, number> {
  const counts = new Map<string, number>();
  let left = maxBytes;
  for (let index = 0; ; index++) {
    let isOver = true;
    for (const [id, bytes] of sizes) {
      const size = bytes[index];
      if (size === undefined) continue;
      left -= size;
      if (left < 0) return counts;
      counts.set(id, index + 1);
      isOver = false;
    }
    if (isOver) return counts;
  }
}

/** Sizes of the comments numbered 1 to `embed` of each channel, in their order. */
async function listFirstSizes(
  db: Database,
  channels: CountedChannel[],
  embed: number,
): Promise<Map<string, number[]>> {
  if (channels.length === 0) return new Map();
  const rows = await selectFirst(db, channels, embed)
    .clearSelect()
    .select(['comments.channel_id', leastBytes.as('bytes')])
    .execute();
  const sizes = new Map(channels.map(({ id }): [string, number[]] => [id, []]));
  for (const { channel_id, bytes } of rows) sizes.get(channel_id)?.push(bytes);
  return sizes;
}

async function listSizes(db: Database, channelId: string, embed: number): Promise<number[]> {
  const rows = await selectComments(db)
    .clearSelect()
    .select(leastBytes.as('bytes'))
    .where('channel_id', '=', channelId)
    .orderBy('number')
    .limit(embed)
    .execute();
  return rows.map(({ bytes }) => bytes);
}

/** The first comments of each channel, as many as `counts` says of it. */
async function listFirstNumbers(
  db: Database,
  channels: CountedChannel[],
  counts: Map<string, number>,
): Promise<Map<string, Comment[]>> {
  const shown = channels.filter(({ id }) => counts.has(id));
  const most = Math.max(...shown.map(({ id }) => counts.get(id) ?? 0));
  if (shown.length === 0) return new Map();
  // Every other channel has one less, or no more.
  const withMost = shown.filter(({ id }) => counts.get(id) === most).map(({ id }) => id);
  const rows = await selectFirst(db, shown, most)
    .where((eb) => eb.or([eb('number', '<', most), eb('channels.id', 'in', withMost)]))
    .execute();
  return Map.groupBy(rows.map(toComment), (comment) => comment.channelId);
}

/**
 * The comments numbered 1 to `most` of each channel. By way of the channels, and with the limit that
 * follows from the numbers anyway: else PostgreSQL takes a long channel's share of all comments for
 * the answer's size, and reads the whole table.
 */
function selectFirst(db: Database, channels: CountedChannel[], most: number) {
  const ids = channels.map(({ id }) => id);
  return selectComments(db)
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .where('channels.id', 'in', ids)
    .where('number', '<=', most)
    .orderBy('channels.id')
    .orderBy('number')
    .limit(ids.length * most);
}

/** Bytes of a comment's JSON where nothing is escaped, from lengths, without reading the text. */
const leastBytes = sql<number>`
  ${fixedBytes} + octet_length(comments.text) + octet_length(accounts.name)
  + coalesce(octet_length(accounts.img), 0)
`;
