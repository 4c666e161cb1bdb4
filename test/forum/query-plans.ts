import { CompiledQuery, type LogEvent } from 'kysely';
import { openDatabase } from '../../src/server/database/engine.ts';
import type { Database } from '../../src/server/database/tables.ts';
import type { Config } from '../../src/server/system/settings/config.ts';

/** No query may read or sort more rows of a table than this. The largest tables have several times as many. */
const mostRows = 1800;

/** A database that records each statement, with the values of its last run. */
export function openWatchedDatabase(config: Config) {
  const asked = new Map<string, CompiledQuery>();
  const log = ({ query }: LogEvent) => {
    // Discards the statements of a migration, which run once before the server serves.
    if (/^\s*insert into kysely_migration/.test(query.sql)) asked.clear();
    // Only statements on tables have a plan to check. The migrator's own are not the forum's.
    if (!/\b(from|into|update)\b/i.test(query.sql)) return;
    if (/kysely_|sqlite_master|pragma_|pg_catalog|pg_advisory/.test(query.sql)) return;
    asked.set(query.sql, query);
  };
  return { db: openDatabase(config, { log }), asked };
}

/** Problems in SQLite's plan for this statement. */
export async function complaintsOfSqlite(
  db: Database,
  { sql, parameters }: CompiledQuery,
): Promise<string[]> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  // A scan along an index in the requested order stops at the limit, so it reads no more rows than it returns. An
  // index of visible rows has no hidden rows to skip.
  const stopsAtLimit = /\blimit\b/i.test(sql) && !/\bwhere\b/i.test(sql);
  // An index of all comments would make a query skip hidden and deleted ones. The index of the trash contains only
  // deleted ones.
  const stepsOverHidden = (detail: string) =>
    /\bvisible_comments\b|deleted_at_ms"? is null and ([a-z".]+)?hidden_by"? is null/.test(sql) &&
    /^SEARCH (visible_)?comments /.test(detail) &&
    !/INDEX (visible|trash)_|number=\?/.test(detail);
  return (
    rows
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN|TEMP B-TREE/.test(detail) || stepsOverHidden(detail))
      // Permits scans of given lists, and of FTS5 tables by rowid or by words.
      .filter((detail) => !/^SCAN (json_each VIRTUAL|\w+ VIRTUAL TABLE INDEX \d+:.)/.test(detail))
      .filter(
        (detail) => !/^SCAN ((\d+ )?CONSTANT ROWS?|\d+-ROW VALUES CLAUSE|given)$/.test(detail),
      )
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

/** Number of rows that PostgreSQL reads from each table for this statement. Its writes are rolled back. */
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
 * Problems in how PostgreSQL runs this statement, by its plan and by the rows that it reads and sorts. Its writes are
 * rolled back. The planner prefers indexes, as it does with many times the rows; it still reads a whole table where
 * no index fits.
 */
export async function complaintsOfPostgres(db: Database, query: CompiledQuery): Promise<string[]> {
  // Inserting the same row again fails before anything can be measured.
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
