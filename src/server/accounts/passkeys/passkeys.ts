import type { PasskeyInfo } from '../../../shared/account-settings.ts';
import { limits } from '../../../shared/limits.ts';
import type { CreatedCredential, UsedCredential } from '../../../shared/passkeys.ts';
import { userHandle } from '../../../shared/user-handle.ts';
import { audited } from '../../database/audit-log.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Session, SessionServices } from '../sessions/session-guard.ts';
import { endSessions, type OpenedSession, openSession } from '../sessions/sessions.ts';
import { lockSignedIn, lockVerified } from '../standing/open-account.ts';
import { createChallenge, requireChallenge, takeChallenge } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';
import { challengeOf, verifyNewPasskey, verifyPasskeyUse } from './verify-passkey.ts';

export type PasskeyServices = SessionServices & { withTransaction: WithTransaction };

/** Lists the passkeys of an account, newest first. */
export async function listPasskeys(db: Database, accountId: string): Promise<PasskeyInfo[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toPasskeyInfo);
}

/**
 * Creates a challenge for adding a passkey.
 * @param passwordHash the hash that the account's password was verified against
 * @throws ApiError `wrong_password` when the password has changed since; `passkey_limit` beyond ten
 */
export function startPasskey(
  { withTransaction, now }: PasskeyServices,
  accountId: string,
  passwordHash: string,
): Promise<string> {
  return withTransaction(`account ${accountId}`, async (trx) => {
    await lockVerified(trx, accountId, passwordHash);
    await requireRoom(trx, accountId);
    return createChallenge(trx, accountId, now());
  });
}

/**
 * Stores a passkey created for a challenge of this account.
 * @throws ApiError `not_signed_in` when the session has ended in the meantime; `passkey_failed`; `passkey_limit` beyond
 * ten
 */
export async function addPasskey(
  services: PasskeyServices,
  party: RelyingParty,
  session: Session,
  { name, credential }: { name: string; credential: CreatedCredential },
): Promise<PasskeyInfo> {
  const { db, now } = services;
  const accountId = session.user.id;
  const challenge = challengeOf(credential);
  await requireChallenge(db, challenge, accountId, now());
  const { id, publicKey, counter } = await verifyNewPasskey(party, challenge, credential);
  const row: Tables['passkeys'] = {
    id,
    account_id: accountId,
    public_key: publicKey,
    counter,
    transports: JSON.stringify(credential.response.transports ?? []),
    name,
    created_at_ms: now(),
    last_used_at_ms: null,
  };
  await audited(services, 'owner', `account ${accountId}`, async (trx, changed) => {
    // Locks the account's row, so that the count stays correct and `endSessions` cannot miss this passkey.
    await lockSignedIn(trx, session);
    await takeChallenge(trx, challenge);
    await requireRoom(trx, accountId);
    const added = await trx
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw new ApiError('passkey_failed');
    changed('add-passkey', accountId);
  });
  return toPasskeyInfo(row);
}

/** @throws ApiError `passkey_limit` when the account has reached the maximum */
async function requireRoom(db: Database, accountId: string): Promise<void> {
  const { count } = await db
    .selectFrom('passkeys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count >= limits.passkeysPerAccount) throw new ApiError('passkey_limit');
}

/**
 * Deletes a passkey and ends all sessions except the caller's, since the passkey may have opened them.
 * @throws ApiError `not_signed_in` when the session has ended in the meantime; `passkey_not_found` when the account has
 * no such passkey
 */
export async function deletePasskey(
  services: PasskeyServices,
  session: Session,
  id: string,
): Promise<void> {
  const accountId = session.user.id;
  await audited(services, 'owner', `account ${accountId}`, async (trx, changed, announce) => {
    await lockSignedIn(trx, session);
    const deleted = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw new ApiError('passkey_not_found');
    await endSessions(trx, accountId, session);
    await announce({ kind: 'access', accountId });
    changed('delete-passkey', accountId);
  });
}

/**
 * Opens a session for the account of a passkey.
 * @param browser.name from `browserName`
 * @throws ApiError `passkey_failed`, `account_disabled`
 */
export async function signInWithPasskey(
  { db, withTransaction, now, config }: PasskeyServices,
  party: RelyingParty,
  credential: UsedCredential,
  browser: { name: string; isRemembered: boolean },
): Promise<OpenedSession> {
  const challenge = challengeOf(credential);
  await requireChallenge(db, challenge, null, now());
  const found = await findPasskey(db, credential.id);
  if (!found || credential.response.userHandle !== userHandle(found.accountId)) {
    throw new ApiError('passkey_failed');
  }
  const { accountId, passkey } = found;
  const counter = await verifyPasskeyUse(party, challenge, credential, passkey);
  const account = { accountId, browser: browser.name, isRemembered: browser.isRemembered };
  return withTransaction(`account ${accountId}`, async (trx) => {
    const opened = await openSession(trx, account, now(), config.sessionDays);
    // Reveal that the account is disabled only after the passkey has been verified.
    if (!opened) throw new ApiError('account_disabled');
    await takeChallenge(trx, challenge);
    const used = await trx
      .updateTable('passkeys')
      .set({ counter, last_used_at_ms: now() })
      .where('id', '=', passkey.id)
      // Fails if a concurrent sign-in with a copy of the authenticator has raised the counter.
      .where('counter', '=', passkey.counter)
      .executeTakeFirst();
    if (used.numUpdatedRows !== 1n) throw new ApiError('passkey_failed');
    return opened;
  });
}

async function findPasskey(db: Database, id: string) {
  const row = await db
    .selectFrom('passkeys')
    .select(['account_id', 'public_key', 'counter'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const passkey = { id, publicKey: row.public_key, counter: row.counter };
  return { accountId: row.account_id, passkey };
}

function toPasskeyInfo(row: Tables['passkeys']): PasskeyInfo {
  return {
    id: row.id,
    name: row.name,
    createdAt: toInstant(row.created_at_ms),
    lastUsedAt: row.last_used_at_ms === null ? null : toInstant(row.last_used_at_ms),
  };
}
