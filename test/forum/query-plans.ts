import { CompiledQuery, type LogEvent } from 'kysely';
import { openDatabase } from '../../src/server/database/engine.ts';
import type { Database } from '../../src/server/database/tables.ts';
import type { Config } from '../../src/server/system/settings/config.ts';

/** More rows than any query may read of a table that has this many times over. */
const mostRows = 3000;

/** A database that remembers each statement it was asked, with the values of the last time. */
export function openWatchedDatabase(config: Config) {
  const asked = new Map<string, CompiledQuery>();
  const log = ({ query }: LogEvent) => {
    // The statements of a migration run once, before the server serves.
    if (/^\s*insert into kysely_migration/.test(query.sql)) asked.clear();
    // Only what names a table has a plan worth a look; the migrator's own questions are not ours.
    if (!/\b(from|into|update)\b/i.test(query.sql)) return;
    if (/kysely_|sqlite_master|pragma_|pg_catalog|pg_advisory/.test(query.sql)) return;
    asked.set(query.sql, query);
  };
  return { db: openDatabase(config, { log }), asked };
}

/** What is wrong with the way in which SQLite would go about this statement, by its plan. */
export async function complaintsOfSqlite(
  db: Database,
  { sql, parameters }: CompiledQuery,
): Promise<string[]> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  // Along an index, in the order asked for, as far as the limit: no more is read than is answered.
  // An index of what is visible has nothing that is hidden in it to be stepped over.
  const stopsAtLimit = /\blimit\b/i.test(sql) && !/\bwhere\b/i.test(sql);
  // An index of all comments would be stepped along past those that are hidden or deleted. That of the trash is for them.
  const stepsOverHidden = (detail: string) =>
    /\bvisible_comments\b|deleted_at_ms"? is null and ([a-z".]+)?hidden_by"? is null/.test(sql) &&
    /^SEARCH (visible_)?comments /.test(detail) &&
    !/INDEX (visible|trash)_|number=\?/.test(detail);
  return (
    rows
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN|TEMP B-TREE/.test(detail) || stepsOverHidden(detail))
      // A list that is given, and an FTS5 table by its rowid or by words.
      .filter((detail) => !/^SCAN (json_each VIRTUAL|\w+ VIRTUAL TABLE INDEX \d+:.)/.test(detail))
      .filter((detail) => !/^SCAN ((\d+ )?CONSTANT ROWS?|given)$/.test(detail))
      .filter((detail) => !(stopsAtLimit && /^SCAN \w+ USING (COVERING )?INDEX/.test(detail)))
  );
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Rows that PostgreSQL reads of each table to answer this statement. What it writes is taken back. */
export async function rowsReadByPostgres(
  db: Database,
  query: CompiledQuery,
): Promise<Record<string, number>> {
  const plan = await planOfPostgres(db, query);
  const rows: Record<string, number> = {};
  for (const node of plan ? nodesOf(plan) : []) {
    const table = node['Relation Name'];
    if (table) rows[table] = (rows[table] ?? 0) + rowsOf(node);
  }
  return rows;
}

/**
 * What is wrong with the way in which PostgreSQL goes about this statement: by its plan, and by the
 * rows it really reads and sorts. What it writes is taken back. The planner prefers indexes, as it does
 * with many times the rows; it still reads a whole table where no index fits.
 */
export async function complaintsOfPostgres(db: Database, query: CompiledQuery): Promise<string[]> {
  // A row that is inserted again is refused before anything can be measured.
  const analyze = !/^\s*insert/i.test(query.sql);
  const plan = await planOfPostgres(db, query, { analyze, avoidsScans: true });
  return plan ? [...nodesOf(plan)].flatMap(complaintsOfNode) : [];
}

async function planOfPostgres(
  db: Database,
  { sql, parameters }: CompiledQuery,
  { analyze = true, avoidsScans = false } = {},
): Promise<Plan | undefined> {
  const trx = await db.startTransaction().execute();
  if (avoidsScans) await trx.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'));
  const { rows } = await trx
    .executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      CompiledQuery.raw(`explain (analyze ${analyze}, format json) ${sql}`, [...parameters]),
    )
    .finally(() => trx.rollback().execute());
  return rows[0]?.['QUERY PLAN'][0].Plan;
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const part of plan.Plans ?? []) yield* nodesOf(part);
}

function complaintsOfNode(node: Plan): string[] {
  const type = node['Node Type'];
  const name = `${type} ${node['Relation Name'] ?? ''}`.trim();
  if (type === 'Seq Scan') return [name];
  const rows = rowsOf(node);
  return /Scan$|Sort$/.test(type) && rows > mostRows ? [`${name} of ${rows} rows`] : [];
}

function rowsOf(node: Plan): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return each * (node['Actual Loops'] ?? 0);
}
