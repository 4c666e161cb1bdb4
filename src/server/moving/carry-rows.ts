import type { Transaction } from 'kysely';
import { commentId } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { compareRows, nameOf, type RowDifference, Tally } from './compare-rows.ts';
import type { Differences } from './differences.ts';
import { MoveRefused } from './move-refused.ts';
import { type MovedTable, movedTables } from './moved-tables.ts';
import { type AnyTables, inSnapshot, type Row, readRows } from './table-rows.ts';
import { deleteRows, RowWriter, upsertRows } from './write-rows.ts';

type Say = (line: string) => void;
type Snapshot = Transaction<AnyTables>;

/** Rows written between two lines of progress. */
const saidEvery = 5000;

/**
 * Accounts are never deleted, channels and comments by who runs the site alone. So a target that has
 * one which the source has not, and has not noted as taken away, is another community, or was served
 * from after a move; writing there would destroy it.
 * @throws MoveRefused
 */
export async function requireCopyOf(source: Snapshot, target: Database): Promise<void> {
  const removed = await readRemoved(source);
  for (const table of movedTables.filter(({ rowsGo }) => rowsGo !== true)) {
    await compare(table, source, target, async ({ kind, row }) => {
      if (kind !== 'only at the target') return;
      if (table.rowsGo === 'noted' && isRemoved(row, removed)) return;
      throw new MoveRefused(
        `The target's database holds what the source does not have (${nameOf(table, row)}): it is another community, or people have written there since it was moved.`,
      );
    });
  }
}

/** Ids of the channels and comments that were taken away at the source. */
async function readRemoved(source: Snapshot): Promise<Set<unknown>> {
  const rows = await source
    .selectFrom('audit_log')
    .select('subject')
    .where('action', 'in', ['hide-comment', 'delete-comment', 'delete-channel'])
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

/** @param row of a channel or a comment */
function isRemoved({ id, channel_id, number }: Row, removed: Set<unknown>): boolean {
  if (typeof id === 'string') return removed.has(id);
  return removed.has(channel_id) || removed.has(commentId(String(channel_id), Number(number)));
}

/**
 * Makes the target's rows those of the source; what is the same already is left alone. Each
 * statement is whole by itself, so it can be killed anywhere and begun again.
 * @param target read while `writer`, another connection to the same, is written to
 */
export async function carryRows(source: Snapshot, target: Database, writer: Database, say: Say) {
  // First, since what was deleted may hold a name that a new row wants.
  for (const table of movedTables.filter(({ rowsGo }) => rowsGo).toReversed()) {
    const rows = new RowWriter(writer, table, deleteRows);
    await compare(table, source, target, async ({ kind, row }) => {
      if (kind === 'only at the target') await rows.add(row);
    });
    await rows.flush();
    if (rows.count > 0) say(`${table.name}: ${rows.count} gone at the source, removed`);
  }
  for (const table of movedTables) {
    const rows = new RowWriter(writer, table, upsertRows);
    let saidAt = 0;
    await compare(table, source, target, async ({ kind, row }) => {
      if (kind === 'only at the target') return;
      await rows.add(row);
      if (rows.count < saidAt + saidEvery) return;
      saidAt = rows.count;
      say(`${table.name}: ${rows.count} rows written so far`);
    });
    await rows.flush();
    say(`${table.name}: ${rows.count} rows written`);
  }
}

/** Counts and sums up every table at both places, and names what differs. */
export async function proveRows(
  source: Snapshot,
  target: Database,
  differences: Differences,
  say: Say,
): Promise<void> {
  for (const table of movedTables) {
    const [ours, theirs] = [new Tally(), new Tally()];
    await inSnapshot(target, async (snapshot) => {
      const pairs = compareRows(
        table,
        ours.over(readRows(source, table)),
        theirs.over(readRows(snapshot, table)),
      );
      for await (const { kind, row } of pairs) differences.add(`${nameOf(table, row)}: ${kind}`);
    });
    const [sum, theirSum] = [ours.checksum(), theirs.checksum()];
    say(
      sum === theirSum
        ? `${table.name}: ${ours.count} rows the same, SHA-256 ${sum}`
        : `${table.name}: ${ours.count} rows at the source, SHA-256 ${sum}; ${theirs.count} at the target, SHA-256 ${theirSum}`,
    );
  }
}

function compare(
  table: MovedTable,
  source: Snapshot,
  target: Database,
  each: (difference: RowDifference) => Promise<void>,
): Promise<void> {
  return inSnapshot(target, async (snapshot) => {
    const differences = compareRows(table, readRows(source, table), readRows(snapshot, table));
    for await (const difference of differences) await each(difference);
  });
}
