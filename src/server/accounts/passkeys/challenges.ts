import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';

export const challengeMs = 5 * 60_000;

/**
 * Stores a new challenge, as a hash.
 * @param accountId the account that adds a passkey; null for signing in
 * @returns 256 random bits, base64url
 */
export async function createChallenge(
  db: Database,
  accountId: string | null,
  nowMs: number,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hash('sha256', challenge, 'base64url'),
      account_id: accountId,
      expires_at_ms: nowMs + challengeMs,
    })
    .execute();
  return challenge;
}

/**
 * Checks that a challenge can be used, before the costly verification.
 * @throws ApiError `passkey_failed` unless it was issued for this purpose and is neither used nor expired
 */
export async function requireChallenge(
  db: Database,
  challenge: string,
  accountId: string | null,
  nowMs: number,
): Promise<void> {
  const found = await db
    .selectFrom('passkey_challenges')
    .select(['account_id', 'expires_at_ms'])
    .where('challenge_hash', '=', hash('sha256', challenge, 'base64url'))
    .executeTakeFirst();
  const isOpen = found?.account_id === accountId && found.expires_at_ms > nowMs;
  if (!isOpen) throw new ApiError('passkey_failed');
}

/**
 * Marks a challenge as used. Only one of several concurrent calls succeeds. Call it in the transaction that carries out
 * request.
 * @throws ApiError `passkey_failed` when it was used in the meantime
 */
export async function takeChallenge(trx: Database, challenge: string): Promise<void> {
  const taken = await trx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash('sha256', challenge, 'base64url'))
    .executeTakeFirst();
  if (taken.numDeletedRows !== 1n) throw new ApiError('passkey_failed');
}
