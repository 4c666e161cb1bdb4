import type { SignedIn } from '../../shared/accounts.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { findCredentials, replaceHash } from './account-queries.ts';
import { dummyHash, hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import type { SessionServices } from './session-guard.ts';
import { openSession } from './sessions.ts';

interface Credentials {
  email: string;
  password: string;
  /** An `addressKey`, for fairness between clients. */
  caller: string;
}

/**
 * Verifies a password and opens a session.
 * @throws ApiError `wrong_credentials`, `account_disabled`; `unavailable` under too many of a caller
 */
export async function signIn(
  services: SessionServices & { transact: Transact },
  credentials: Credentials,
): Promise<SignedIn> {
  const { db, transact, now, config } = services;
  const { email, password, caller } = credentials;
  const found = await findCredentials(db, email);
  // An unknown e-mail takes as long as a wrong password, so that accounts cannot be probed.
  const hash = found?.passwordHash ?? (await dummyHash());
  const isRight = await verifyPassword(password, hash, caller);
  if (!found || !isRight) throw new ApiError('wrong_credentials');
  // Reveal that the account is disabled only after the password has been verified.
  if (found.isDisabled) throw new ApiError('account_disabled');
  const { user, passwordHash } = found;
  const token = await transact(`account ${user.id}`, (trx) =>
    openSession(trx, { accountId: user.id, passwordHash }, now(), config.sessionDays),
  );
  // The password or the account changed while the password was being verified: verify again.
  if (token === undefined) return signIn(services, credentials);
  if (isOutdated(passwordHash)) {
    const stronger = await hashPassword(password, caller);
    const hashes = { old: passwordHash, stronger };
    await transact(`account ${user.id}`, (trx) => replaceHash(trx, user.id, hashes));
  }
  return { token, user };
}
