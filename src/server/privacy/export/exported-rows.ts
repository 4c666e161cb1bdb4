import { type SqlBool, sql } from 'kysely';
import { engineOf } from '../../database/engine.ts';
import type { ExportedTable } from '../../database/table-register.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { isNotMarkedForErasure } from '../../forum/visible-rows.ts';
import { findNames } from '../../texts/mention-names.ts';
import { type StoredText, toPlainText, toStoredText } from '../../texts/stored-text.ts';
import { exportedName } from './exported-images.ts';

type Row = Record<string, unknown>;

/** Rows whose mentions are looked up at once, with at most 2 MB of text. */
const batchSize = 50;

/**
 * Conditions that leave rows out of an export: channels and comments that are being erased, and dismissed reports, of
 * which people are told nowhere. Their reasons may name who reported.
 */
const isKept = new Map([
  ['channels', isNotMarkedForErasure],
  [
    'comments',
    sql<SqlBool>`${isNotMarkedForErasure} and exists (
      select 1 from channels where id = comments.channel_id and ${isNotMarkedForErasure})`,
  ],
  ['decisions', sql<SqlBool>`(decisions.action <> 'dismiss' or decisions.subject_kind = 'appeal')`],
]);

/**
 * The rows of a table that are the account's, each as a line of JSON. Texts are as people read them, with the names of
 * those they mention.
 * @param trx reads the rows @param db reads the names meanwhile
 */
export async function* exportedLines(
  { trx, db }: { trx: Database; db: Database },
  table: ExportedTable,
  accountId: string,
): AsyncGenerator<string> {
  let batch: Row[] = [];
  for await (const rows of engineOf(trx).stream(trx, selectOwn(trx, table, accountId))) {
    batch.push(...rows.map((row) => exportedRow(table, row)));
    if (batch.length < batchSize) continue;
    yield* await linesOf(db, batch);
    batch = [];
  }
  yield* await linesOf(db, batch);
}

function selectOwn(trx: Database, { table, columns, of }: ExportedTable, accountId: string) {
  const [owner, account, on] =
    typeof of === 'string' ? [table, of, {}] : [of.table, 'account_id', of.on];
  const tables = [...new Set([owner, table])].map((name) => sql.table(name));
  const joined = Object.entries(on).map(
    ([column, other]) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`${owner}.${other}`)}`,
  );
  const isOwn = [sql`${sql.ref(`${owner}.${account}`)} = ${accountId}`, ...joined];
  const conditions = [...new Set([owner, table])].flatMap((name) => isKept.get(name) ?? []);
  const own = sql<Row>`(
    select ${sql.join(columns.map((column) => sql.ref(`${table}.${column}`)))}
    from ${sql.join(tables)}
    where ${sql.join([...isOwn, ...conditions], sql` and `)})`;
  return trx.selectFrom(own.as('own')).selectAll();
}

/** Names the columns as in the API, formats times, and parses JSON: `created_at_ms` becomes `createdAt`. */
function exportedRow({ table, columns, json }: ExportedTable, row: Row): Row {
  const fields = columns.map((column): [string, unknown] => {
    const value = row[column];
    const isTime = column.endsWith('_ms');
    const name = (isTime ? column.slice(0, -'_ms'.length) : column).replace(/_[a-z]/g, (match) =>
      match.slice(1).toUpperCase(),
    );
    if (isTime && typeof value === 'number') return [name, toInstant(value)];
    return [name, column === json ? JSON.parse(String(value)) : value];
  });
  const file = table === 'images' ? { file: exportedName(String(row.url)) } : {};
  return { ...file, ...Object.fromEntries(fields) };
}

/** Rows as lines. All texts are read as stored ones, since only these have mentions. */
async function linesOf(db: Database, rows: Row[]): Promise<string[]> {
  const texts: StoredText[] = [];
  JSON.stringify(rows, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(toStoredText(value));
    return value;
  });
  const names = await findNames(db, texts);
  const read = (_key: string, value: unknown) =>
    typeof value === 'string' ? toPlainText(toStoredText(value), names) : value;
  return rows.map((row) => `${JSON.stringify(row, read)}\n`);
}
