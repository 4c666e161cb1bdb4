import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** A comment's key in the index. */
export interface DocKey {
  /** `search_channels.id` */
  channel: number;
  number: number;
}

/** Rows of one query, and items sorted in one turn of the event loop: a few milliseconds each. */
const pageRows = 1000;
const sortedAtOnce = 8192;

/** Keys of the comments without a doc, newest first. Each needs 24 bytes of memory. */
export class CommentsWithoutDoc {
  #createdAtMs: Float64Array;
  #channels: Uint32Array;
  #numbers: Uint32Array;
  #order = new Uint32Array();
  #count = 0;
  #taken = 0;

  private constructor(expected: number) {
    this.#createdAtMs = new Float64Array(expected);
    this.#channels = new Uint32Array(expected);
    this.#numbers = new Uint32Array(expected);
  }

  /**
   * Reads all comments, including hidden and deleted ones, in small steps.
   * @param expected estimated number; more comments need more memory while the arrays are copied
   */
  static async collect(
    db: Database,
    signal: AbortSignal,
    expected: number,
  ): Promise<CommentsWithoutDoc> {
    const comments = new CommentsWithoutDoc(expected);
    let last = { channel_id: '', number: 0 };
    for (;;) {
      signal.throwIfAborted();
      const rows = await readPage(db, last);
      for (const row of rows) if (row.doc === null) comments.#add(row);
      last = rows.at(-1) ?? last;
      if (rows.length < pageRows) break;
      await yieldToEventLoop();
    }
    await comments.#sort();
    return comments;
  }

  /** How many comments `take` has not returned yet. */
  get count(): number {
    return this.#count - this.#taken;
  }

  /** Removes the next comments from the list and returns them, newest first. */
  take(count: number): DocKey[] {
    const order = this.#order.subarray(this.#taken, this.#taken + count);
    this.#taken += order.length;
    return Array.from(order, (index) => ({
      channel: this.#channels[index] ?? 0,
      number: this.#numbers[index] ?? 0,
    }));
  }

  #add({ created_at_ms, channel, number }: Row): void {
    const index = this.#count++;
    if (index === this.#numbers.length) {
      const grow = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
        to.set(from);
        return to;
      };
      this.#createdAtMs = grow(this.#createdAtMs, new Float64Array(2 * index + pageRows));
      this.#channels = grow(this.#channels, new Uint32Array(2 * index + pageRows));
      this.#numbers = grow(this.#numbers, new Uint32Array(2 * index + pageRows));
    }
    this.#createdAtMs[index] = created_at_ms;
    this.#channels[index] = channel;
    this.#numbers[index] = number;
  }

  async #sort(): Promise<void> {
    const [times, channels, numbers] = [this.#createdAtMs, this.#channels, this.#numbers];
    const difference = (values: Float64Array | Uint32Array, one: number, other: number) =>
      (values[other] ?? 0) - (values[one] ?? 0);
    const order = new Uint32Array(this.#count);
    for (let index = 0; index < order.length; index++) order[index] = index;
    this.#order = await sortInSteps(
      order,
      (one, other) =>
        difference(times, one, other) ||
        difference(channels, one, other) ||
        difference(numbers, one, other),
    );
  }
}

interface Row extends DocKey {
  channel_id: string;
  created_at_ms: number;
  doc: number | null;
}

async function readPage(
  db: Database,
  after: { channel_id: string; number: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select c.channel_id, c.number, c.created_at_ms, s.id as channel, d.doc
    from comments c
    join search_channels s on s.channel_id = c.channel_id
    left join search_docs d on d.channel = s.id and d.number = c.number
    where (c.channel_id, c.number) > (${after.channel_id}, ${after.number})
    order by c.channel_id, c.number
    limit ${sql.lit(pageRows)}
  `.execute(db);
  return rows;
}

/** Merge sort that yields to the event loop. @param values is changed */
async function sortInSteps(
  values: Uint32Array<ArrayBuffer>,
  compare: (one: number, other: number) => number,
): Promise<Uint32Array<ArrayBuffer>> {
  for (let start = 0; start < values.length; start += sortedAtOnce) {
    values.subarray(start, start + sortedAtOnce).sort(compare);
    await yieldToEventLoop();
  }
  let [from, to] = [values, new Uint32Array(values.length)];
  for (let width = sortedAtOnce; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        const takesLeft =
          right === end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0);
        to[at] = from[takesLeft ? left++ : right++] ?? 0;
        if (at % sortedAtOnce === 0) await yieldToEventLoop();
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
