import { byEngine } from '../../src/server/database/engine.ts';
import type { Database } from '../../src/server/database/tables.ts';

/** Whether a test runs on PostgreSQL; otherwise it runs on SQLite. */
export const isPostgres = (db: Database): boolean =>
  byEngine(db, { sqlite: false, postgres: true });
