import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** A comment's key in the index. */
export interface DocKey {
  /** `search_channels.id` */
  channel: number;
  number: number;
}

interface Row extends DocKey {
  channel_id: string;
  created_at_ms: number;
}

const hourMs = 3_600_000;
/** Rows of one query, which takes a few milliseconds. */
const pageRows = 1000;

/** Keys of the comments without a number in the index, the newest first. */
export class UnnumberedComments {
  /** Time, channel and number of each comment by the hour, which is sorted when its turn comes. */
  readonly #hours = new Map<number, number[]>();
  #next: DocKey[] = [];
  #count = 0;

  /** Reads all comments, including hidden and deleted ones, in small steps. */
  static async collect(db: Database, signal: AbortSignal): Promise<UnnumberedComments> {
    const comments = new UnnumberedComments();
    let last = { channel_id: '', number: 0 };
    for (;;) {
      signal.throwIfAborted();
      const { rows } = await sql<Row & { doc: number | null }>`
        select c.channel_id, c.number, c.created_at_ms, s.id as channel, d.doc
        from comments c
        join search_channels s on s.channel_id = c.channel_id
        left join search_docs d on d.channel = s.id and d.number = c.number
        where (c.channel_id, c.number) > (${last.channel_id}, ${last.number})
        order by c.channel_id, c.number
        limit ${sql.lit(pageRows)}
      `.execute(db);
      for (const row of rows) if (row.doc === null) comments.#add(row);
      last = rows.at(-1) ?? last;
      if (rows.length < pageRows) return comments;
      await yieldToEventLoop();
    }
  }

  /** How many comments `take` has not returned yet. */
  get count(): number {
    return this.#count;
  }

  /** Removes the newest comments from the list and returns them, the newest first. */
  take(count: number): DocKey[] {
    while (this.#next.length < count && this.#hours.size > 0) {
      const hour = this.#hours.keys().reduce((one, other) => Math.max(one, other));
      this.#next = this.#next.concat(newestFirst(this.#hours.get(hour) ?? []));
      this.#hours.delete(hour);
    }
    const taken = this.#next.slice(0, count);
    this.#next = this.#next.slice(count);
    this.#count -= taken.length;
    return taken;
  }

  #add({ created_at_ms, channel, number }: Row): void {
    const hour = Math.floor(created_at_ms / hourMs);
    const values = this.#hours.get(hour) ?? [];
    values.push(created_at_ms, channel, number);
    this.#hours.set(hour, values);
    this.#count++;
  }
}

function newestFirst(values: number[]): DocKey[] {
  const at = (index: number) => values[index] ?? 0;
  return Array.from({ length: values.length / 3 }, (_, index) => 3 * index)
    .sort((a, b) => at(b) - at(a) || at(b + 1) - at(a + 1) || at(b + 2) - at(a + 2))
    .map((index) => ({ channel: at(index + 1), number: at(index + 2) }));
}
