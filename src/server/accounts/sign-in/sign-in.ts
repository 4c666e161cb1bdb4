import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { PasswordTries } from '../passwords/password-tries.ts';
import { dummyHash, verifyPassword } from '../passwords/passwords.ts';
import type { SessionServices } from '../sessions/session-guard.ts';
import { type OpenedSession, openSession } from '../sessions/sessions.ts';
import { disabledError } from '../standing/admission.ts';
import { findCredentials } from './account-queries.ts';

interface SignInServices extends SessionServices {
  withTransaction: WithTransaction;
  passwordTries: PasswordTries;
}

interface Credentials {
  email: string;
  password: string;
  /** An `addressKey`. */
  address: string;
  /** From `browserName`. */
  browser: string;
  isRemembered: boolean;
}

/**
 * Verifies a password and opens a session.
 * @throws ApiError `wrong_credentials`, `account_disabled`, `awaiting_approval`, `refused`; `too_many_requests` after
 * many wrong passwords; `unavailable` when too many checks are queued
 */
export async function signIn(
  services: SignInServices,
  credentials: Credentials,
): Promise<OpenedSession> {
  const { db, withTransaction, passwordTries, now, config } = services;
  const { email, password, address, browser, isRemembered } = credentials;
  // Only the check counts as an attempt: the right password resets the count, even if a later step fails.
  const found = await passwordTries.count({ email, address }, () =>
    requirePassword(db, email, password),
  );
  // Reveal that the account is disabled only after the password has been verified.
  if (found.isDisabled) throw await disabledError(db, found.user.id);
  const { passwordHash } = found;
  const accountId = found.user.id;
  const account = { accountId, passwordHash, browser, isRemembered };
  const opened = await withTransaction(`account ${accountId}`, (trx) =>
    openSession(trx, account, now(), config.sessionDays),
  );
  // Verify again, because the password or the account has changed in the meantime.
  if (opened === undefined) return signIn(services, credentials);
  return opened;
}

/** @throws ApiError `wrong_credentials`, `unavailable` */
async function requirePassword(db: Database, email: string, password: string) {
  const found = await findCredentials(db, email);
  // An unknown address takes as long as a wrong password, so that accounts cannot be probed.
  const hash = found?.passwordHash ?? dummyHash();
  const isRight = await verifyPassword(password, hash);
  if (!found || !isRight) throw new ApiError('wrong_credentials');
  return found;
}
