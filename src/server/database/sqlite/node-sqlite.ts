import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Statements are few but for lists of varying length; past this the oldest is prepared again. */
const keptStatements = 200;

/** Node's own SQLite in the shape that Kysely's SQLite dialect asks for. */
export class NodeSqlite implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #readVersion: StatementSync;
  #version: unknown;
  #isAsked = false;

  /** @param readOnly the file has to be there, and stays as it is */
  constructor(file: string, readOnly = false) {
    this.#database = new DatabaseSync(file, { timeout: 5000, readOnly });
    this.#readVersion = this.#database.prepare('PRAGMA data_version');
    if (readOnly) return;
    // FULL: a comment that was acknowledged survives a power cut.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // From here on the driver waits, since SQLite's waiting holds up the whole process.
    this.#database.exec('PRAGMA busy_timeout = 0');
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Whether another connection, such as a command's, has written since this was asked last. */
  hasChangedElsewhere(): boolean {
    // Once a turn of the event loop: asking costs a quarter of what a kept answer does.
    if (this.#isAsked) return false;
    this.#isAsked = true;
    setImmediate(() => {
      this.#isAsked = false;
    });
    const version = this.#readVersion.get()?.data_version;
    const hasChanged = version !== this.#version;
    this.#version = version;
    return hasChanged;
  }

  prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = adapt(this.#database.prepare(sql));
      if (this.#statements.size >= keptStatements) {
        const oldest = this.#statements.keys().next().value;
        if (oldest !== undefined) this.#statements.delete(oldest);
      }
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  close(): void {
    this.#database.close();
  }
}

function adapt(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
