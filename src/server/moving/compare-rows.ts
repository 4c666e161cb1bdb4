import { createHash } from 'node:crypto';
import type { MovedTable } from './moved-tables.ts';
import type { Row } from './table-rows.ts';

/** `row` is the source's, but for those that only the target has. */
export interface RowDifference {
  kind: 'missing at the target' | 'different at the target' | 'only at the target';
  row: Row;
}

/** Walks through both at once; each is in the order of its keys. */
export async function* compareRows(
  table: MovedTable,
  source: AsyncIterable<Row>,
  target: AsyncIterable<Row>,
): AsyncGenerator<RowDifference> {
  const left = source[Symbol.asyncIterator]();
  const right = target[Symbol.asyncIterator]();
  const next = async (rows: AsyncIterator<Row>) => {
    const { done, value } = await rows.next();
    return done ? undefined : (value as Row);
  };
  try {
    let [ours, theirs] = [await next(left), await next(right)];
    while (ours || theirs) {
      const order = !theirs ? -1 : !ours ? 1 : compareKeys(table, ours, theirs);
      if (ours && order < 0) yield { kind: 'missing at the target', row: ours };
      else if (theirs && order > 0) yield { kind: 'only at the target', row: theirs };
      else if (ours && theirs && canonical(ours) !== canonical(theirs)) {
        yield { kind: 'different at the target', row: ours };
      }
      if (order <= 0) ours = await next(left);
      if (order >= 0) theirs = await next(right);
    }
  } finally {
    await left.return?.();
    await right.return?.();
  }
}

/** Counts rows and sums them up while they pass. */
export class Tally {
  count = 0;
  readonly #hash = createHash('sha256');

  async *over(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      this.count++;
      this.#hash.update(`${canonical(row)}\n`);
      yield row;
    }
  }

  /** SHA-256 in hex. Asked for once, at the end. */
  checksum(): string {
    return this.#hash.digest('hex');
  }
}

/** What names the row in a message. */
export function nameOf({ name, key }: MovedTable, row: Row): string {
  return `${name} ${Object.keys(key)
    .map((column) => row[column])
    .join('/')}`;
}

function compareKeys({ key }: MovedTable, a: Row, b: Row): number {
  for (const column of Object.keys(key)) {
    const [one, other] = [a[column] ?? '', b[column] ?? ''];
    const order =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : // Not JavaScript's order of texts, which is that of UTF-16.
          Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
    if (order !== 0) return order;
  }
  return 0;
}

/** The same text for the same row on both engines. */
function canonical(row: Row): string {
  return JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => [column, row[column]]),
  );
}
