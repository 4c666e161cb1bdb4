import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { disabledError } from '../admission.ts';
import { dummyHash, verifyPassword } from '../passwords/passwords.ts';
import type { SessionServices } from '../sessions/session-guard.ts';
import { type OpenedSession, openSession } from '../sessions/sessions.ts';
import { findCredentials } from './account-queries.ts';

interface Credentials {
  email: string;
  password: string;
  /** An `addressKey`, for fairness between clients. */
  address: string;
  /** From `browserName`. */
  browser: string;
  isRemembered: boolean;
}

/**
 * Verifies a password and opens a session.
 * @throws ApiError `wrong_credentials`, `account_disabled`, `awaiting_approval`, `refused`; `unavailable` when too many checks of the address wait
 */
export async function signIn(
  services: SessionServices & { transact: Transact },
  credentials: Credentials,
): Promise<OpenedSession> {
  const { db, transact, now, config } = services;
  const { email, password, address, browser, isRemembered } = credentials;
  const found = await findCredentials(db, email);
  // An unknown e-mail takes as long as a wrong password, so that accounts cannot be probed.
  const hash = found?.passwordHash ?? dummyHash();
  const isRight = await verifyPassword(password, hash, address);
  if (!found || !isRight) throw new ApiError('wrong_credentials');
  // Reveal that the account is disabled only after the password has been verified.
  if (found.isDisabled) throw await disabledError(db, found.user.id);
  const { passwordHash } = found;
  const accountId = found.user.id;
  const account = { accountId, passwordHash, browser, isRemembered };
  const opened = await transact(`account ${accountId}`, (trx) =>
    openSession(trx, account, now(), config.sessionDays),
  );
  // Verify again, because the password or the account changed meanwhile.
  if (opened === undefined) return signIn(services, credentials);
  return opened;
}
