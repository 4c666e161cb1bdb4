import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Maximum number of cached prepared statements: `in` lists of varying length produce many. */
const maxCachedStatements = 200;

/** `node:sqlite` behind the interface that Kysely's SQLite dialect expects. */
export class NodeSqlite implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, SqliteStatement>({
    max: maxCachedStatements,
    memoMethod: (sql) => adapt(this.#database.prepare(sql)),
  });

  /** @param readOnly the file must exist and is not changed */
  constructor(file: string, readOnly = false) {
    this.#database = new DatabaseSync(file, { timeout: 5000, readOnly });
    if (readOnly) return;
    // FULL, so that acknowledged writes survive a power cut.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // Overwrite deleted rows with zeros, so that their content does not stay in the file.
    this.#database.exec('PRAGMA secure_delete = ON');
    // The driver waits for locks, because SQLite's own waiting would block the event loop.
    this.#database.exec('PRAGMA busy_timeout = 0');
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  prepare(sql: string): SqliteStatement {
    return this.#statements.memo(sql);
  }

  close(): void {
    this.#database.close();
  }
}

function adapt(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  const reader = statement.columns().length > 0;
  // FTS5 can set a last row id beyond the safe integers, for which `run` would throw after writing.
  if (!reader) statement.setReadBigInts(true);
  return {
    reader,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
