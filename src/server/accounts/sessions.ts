import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { User } from '../../shared/accounts.ts';
import { classifyStorageError, DatabaseUnavailable } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';

const dayMs = 86_400_000;

/**
 * Opens a session, unless the password was changed or the account disabled while the password was
 * being verified.
 * @param passwordHash what the given password was verified against
 * @returns the token: 256 bits, stored only as a hash; undefined when no session was opened
 */
export async function openSession(
  db: Database,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
  nowMs: number,
  sessionDays: number,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url');
  const opened = await db
    .insertInto('sessions')
    .columns(['token_hash', 'account_id', 'created_at_ms', 'expires_at_ms'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select([
          sql<string>`cast(${hashToken(token)} as text)`.as('token_hash'),
          'id',
          sql<number>`cast(${nowMs} as bigint)`.as('created_at_ms'),
          sql<number>`cast(${nowMs + sessionDays * dayMs} as bigint)`.as('expires_at_ms'),
        ])
        .where('id', '=', accountId)
        .where('password_hash', '=', passwordHash)
        .where('disabled_at_ms', 'is', null),
    )
    .executeTakeFirst();
  return opened.numInsertedOrUpdatedRows === 1n ? token : undefined;
}

/**
 * Finds the account of a token and extends the session, which is written at most once a day.
 * @returns undefined when the token is unknown, ended or expired
 */
export async function findSessionUser(
  db: Database,
  token: string,
  nowMs: number,
  sessionDays: number,
): Promise<User | undefined> {
  const tokenHash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.img', 'expires_at_ms'])
    .where('token_hash', '=', tokenHash)
    .where('accounts.disabled_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row || row.expires_at_ms <= nowMs) return undefined;
  const { expires_at_ms, ...user } = row;
  if (expires_at_ms < nowMs + (sessionDays - 1) * dayMs) {
    await db
      .updateTable('sessions')
      .set({ expires_at_ms: nowMs + sessionDays * dayMs })
      .where('token_hash', '=', tokenHash)
      .execute()
      // Reading works with a full disk or a read-only database: the next use extends the session.
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable || classifyStorageError(error))) throw error;
      });
  }
  return user;
}

/** Ends the session of a token. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
}

/** Ends all sessions of an account. */
export async function endSessions(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}

/** Deletes expired sessions. */
export async function deleteExpiredSessions(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at_ms', '<=', nowMs).execute();
}

/** A fast hash is enough: a random token of 256 bits cannot be guessed from a stolen table. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
