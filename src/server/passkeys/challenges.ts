import { randomBytes } from 'node:crypto';
import { hashToken } from '../accounts/hash-token.ts';
import type { Database } from '../database/tables.ts';

/** How long a challenge can be answered. */
export const challengeMs = 5 * 60_000;

/**
 * Stores a new challenge, as a hash.
 * @param accountId who adds a passkey; null for signing in
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
      challenge_hash: hashToken(challenge),
      account_id: accountId,
      expires_at_ms: nowMs + challengeMs,
    })
    .execute();
  return challenge;
}

/** Uses up a challenge. @returns whether it was handed out for this and not used since */
export async function takeChallenge(
  db: Database,
  challenge: string,
  accountId: string | null,
  nowMs: number,
): Promise<boolean> {
  const used = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashToken(challenge))
    .returning(['account_id', 'expires_at_ms'])
    .executeTakeFirst();
  return used !== undefined && used.account_id === accountId && used.expires_at_ms > nowMs;
}

/** Deletes expired challenges. */
export async function deleteExpiredChallenges(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at_ms', '<=', nowMs).execute();
}
