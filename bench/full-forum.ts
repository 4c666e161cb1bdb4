import { type Kysely, sql } from 'kysely';
import { hashPassword } from '../src/server/accounts/passwords.ts';
import { openDatabase } from '../src/server/database/database.ts';
import { migrate } from '../src/server/database/migrations/migrate.ts';
import type { Tables } from '../src/server/database/tables.ts';
import { type Filling, fillChannels, fillComments } from '../test/forum/fill-forum.ts';

export const password = 'una contraseña: larga';

/**
 * Makes a forum of this size in an empty database.
 * @returns bytes on disk that one comment takes, its share of the indexes with it
 */
export async function makeFullForum(
  config: { databaseUrl: string | undefined; dataDir: string },
  filling: Filling,
): Promise<number> {
  const db = openDatabase(config, { noStatementTimeout: true });
  const isPostgres = config.databaseUrl !== undefined;
  try {
    await migrate(db);
    const nowMs = Date.now();
    await fillChannels(db, filling, { passwordHash: await hashPassword(password, 'bench'), nowMs });
    const before = await bytesOf(db, isPostgres);
    await fillComments(db, filling, nowMs);
    const after = await bytesOf(db, isPostgres);
    // As its autovacuum does before long. SQLite does nothing of the kind, here or later.
    if (isPostgres) await sql`vacuum analyze`.execute(db);
    const { count } = await db
      .selectFrom('comments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return (after - before) / count;
  } finally {
    await db.destroy();
  }
}

async function bytesOf(db: Kysely<Tables>, isPostgres: boolean): Promise<number> {
  const { rows } = isPostgres
    ? await sql<{ bytes: number }>`select pg_total_relation_size('comments') as bytes`.execute(db)
    : await sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()
      `.execute(db);
  return rows[0]?.bytes ?? 0;
}
