import { sql } from 'kysely';
import { OperatorError } from '../../system/operator-error.ts';
import type { Database } from '../tables.ts';

/** Oldest major version that supports the SQL that tertulia uses. */
const oldestVersion = 13;

export async function readVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version
  `.execute(db);
  return rows[0]?.version ?? '';
}

/** @throws OperatorError when the server is older than `oldest`, a major version */
export async function requireVersion(db: Database, oldest = oldestVersion): Promise<void> {
  const version = await readVersion(db);
  if (Number.parseInt(version, 10) >= oldest) return;
  throw new OperatorError(
    `PostgreSQL ${version} is too old: tertulia needs ${oldest} or newer. Upgrade it, or let DATABASE_URL name a newer one.`,
  );
}
