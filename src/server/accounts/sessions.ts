import { createHash, randomBytes } from 'node:crypto';
import type { User } from '../../shared/accounts.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { storageTrouble } from '../database/storage-errors.ts';
import type { Database } from '../database/tables.ts';

const dayMs = 86_400_000;

/** Opens a session. @returns the token: 256 bits, known to nobody afterwards but its holder. */
export async function openSession(
  db: Database,
  accountId: string,
  nowMs: number,
  sessionDays: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      account_id: accountId,
      created_at_ms: nowMs,
      expires_at_ms: nowMs + sessionDays * dayMs,
    })
    .execute();
  return token;
}

/**
 * Whose token this is; undefined when it is unknown, ended or expired. Use makes a session last
 * longer; that is written at most once a day, so that reading stays reading.
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
    .executeTakeFirst();
  if (!row || row.expires_at_ms <= nowMs) return undefined;
  const { expires_at_ms, ...user } = row;
  if (expires_at_ms < nowMs + (sessionDays - 1) * dayMs) {
    await db
      .updateTable('sessions')
      .set({ expires_at_ms: nowMs + sessionDays * dayMs })
      .where('token_hash', '=', tokenHash)
      .execute()
      // On a full disk too, whoever is signed in can read; the next use writes it.
      .catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable || storageTrouble(error))) throw error;
      });
  }
  return user;
}

/** Ends the session; its token is dead from then on. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
}

/** Ends all sessions of an account, as when its password changes. */
export async function endSessions(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}

/** Forgets sessions whose time is over. */
export async function deleteExpiredSessions(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at_ms', '<=', nowMs).execute();
}

/** A random token needs no slow hash: it cannot be guessed from a stolen table. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
