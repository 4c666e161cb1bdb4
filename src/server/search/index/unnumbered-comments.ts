import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

const hourMs = 3_600_000;
/** Rows of one query and keys of one list, which takes a few milliseconds. */
const pageRows = 1000;

/** Time, number of the channel in the index, and number of a comment. */
type Key = [ms: number, channel: number, number: number];

/** Finds the comments without a number in the index. @returns lists of their channels and numbers, the newest first */
export async function findUnnumbered(
  db: Database,
  signal: AbortSignal,
): Promise<Iterable<[channel: number, number: number][]>> {
  // By the hour, so that each is sorted in a short time.
  const hours = new Map<number, Key[]>();
  let last = { channel_id: '', number: 0 };
  for (let isLast = false; !isLast; await yieldToEventLoop()) {
    signal.throwIfAborted();
    const { rows } = await sql<typeof last & { ms: number; channel: number; doc: number | null }>`
      select c.channel_id, c.number, c.created_at_ms as ms, s.id as channel, d.doc
      from comments c
      join search_channels s on s.channel_id = c.channel_id
      left join search_docs d on d.channel = s.id and d.number = c.number
      where (c.channel_id, c.number) > (${last.channel_id}, ${last.number})
      order by c.channel_id, c.number
      limit ${sql.lit(pageRows)}
    `.execute(db);
    for (const { ms, channel, number, doc } of rows) {
      if (doc !== null) continue;
      const hour = Math.floor(ms / hourMs);
      const keys = hours.get(hour) ?? [];
      keys.push([ms, channel, number]);
      hours.set(hour, keys);
    }
    last = rows.at(-1) ?? last;
    isLast = rows.length < pageRows;
  }
  return newestFirst(hours);
}

function* newestFirst(hours: Map<number, Key[]>): Iterable<[channel: number, number: number][]> {
  for (const hour of [...hours.keys()].sort((a, b) => b - a)) {
    const keys = (hours.get(hour) ?? [])
      .sort((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2])
      .map(([, channel, number]): [number, number] => [channel, number]);
    hours.delete(hour);
    while (keys.length > 0) yield keys.splice(0, pageRows);
  }
}
