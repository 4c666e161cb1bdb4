import type { TestContext } from 'node:test';
import { openDatabase } from '../../src/server/database/engine.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createPostgresDatabase, type engines } from './forum.ts';

/** A database without tables, until the test ends. */
export async function openEmptyDatabase(
  t: TestContext,
  engine: (typeof engines)[number],
): Promise<Database> {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const folder = await temporaryFolder('migrate');
  const dataDir = folder.path;
  const db = openDatabase({ databaseUrl: database?.url, dataDir }, { noStatementTimeout: true });
  t.after(async () => {
    await db.destroy();
    await database?.drop();
    await folder[Symbol.asyncDispose]();
  });
  return db;
}
