import type { User } from '../../shared/accounts.ts';
import { nameKey } from '../accounts/names.ts';
import { setPassword } from '../accounts/recovery/set-password.ts';
import { type DeviceToken, renewDevice } from '../accounts/sessions/devices.ts';
import type { Session } from '../accounts/sessions/session-guard.ts';
import { emailTaken } from '../accounts/sign-in/account-queries.ts';
import { lockSignedIn, lockVerified } from '../accounts/standing/open-account.ts';
import {
  findRestriction,
  requireWriter,
  restrictionError,
} from '../accounts/standing/restrictions.ts';
import { audited } from '../database/audit-log.ts';
import { isUniqueViolation } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { replaceAddress } from '../mail/confirm-email.ts';
import { emailKey } from '../mail/email-key.ts';
import { indexNames } from '../search-index/index-names.ts';
import type { Config } from '../system/settings/config.ts';
import { dayMs } from '../system/times.ts';
import { watchProfile } from './profile.ts';

interface EditServices {
  withTransaction: WithTransaction;
  now: () => number;
  config: Pick<Config, 'mail'>;
}

export interface AccountChange {
  name: string | undefined;
  email: string | undefined;
  /** Hash of the new password; undefined to keep the old one. */
  passwordHash: string | undefined;
  /** Whether the mail to a new address is sent after all others. */
  isMailLast: boolean;
}

/**
 * Changes the caller's account. A new password ends every other way to sign in except passkeys (`setPassword`).
 * @param currentHash the hash that the current password was verified against
 * @throws ApiError `not_signed_in` or `wrong_password` when the session has ended or the password has changed in the
 * meantime; `name_changed_recently`, `email_taken`; errors of `requireWriter` for a new name; `suspended` for a new
 * address
 * @returns the account; after a new password, also the new cookie of a remembered browser
 */
export async function editAccount(
  services: EditServices,
  session: Session,
  change: AccountChange,
  currentHash: string,
): Promise<{ user: User; device: DeviceToken | undefined }> {
  const { now, config } = services;
  const { id } = session.user;
  return audited(services, 'owner', `account ${id}`, async (trx, changed, announce) => {
    await lockSignedIn(trx, session);
    await lockVerified(trx, id, currentHash);
    const isRenamed = await rename(trx, id, change.name, now());
    if (isRenamed) changed('change-name', id);
    if (change.email !== undefined) {
      const hasMail = config.mail !== undefined;
      const site = { hasMail, isLast: change.isMailLast, nowMs: now() };
      if (await changeEmail(trx, id, change.email, site)) changed('change-email', id);
    }
    const { passwordHash } = change;
    const { id: keptId, deviceId } = session;
    let device: DeviceToken | undefined;
    if (passwordHash !== undefined) {
      await setPassword(trx, { accountId: id, passwordHash, current: session }, now());
      if (deviceId !== null) device = await renewDevice(trx, { id: deviceId, keptId }, now());
      changed('change-password', id);
      await announce({ kind: 'access', accountId: id });
    }
    if (isRenamed) await announce({ kind: 'profile', accountId: id });
    const user = await trx
      .selectFrom('accounts')
      .select(['id', 'name', 'email', 'img'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { user, device };
  });
}

/** @returns whether the name has changed */
async function rename(
  trx: Database,
  id: string,
  name: string | undefined,
  nowMs: number,
): Promise<boolean> {
  const { name_changed_at_ms: changedMs, ...before } = await trx
    .selectFrom('accounts')
    .select(['name', 'img', 'name_changed_at_ms'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (name === undefined || name === before.name) return false;
  await requireWriter(trx, id, nowMs);
  const waitMs = changedMs === null ? 0 : changedMs + dayMs - nowMs;
  if (waitMs > 0) throw changedRecently(waitMs);
  await trx
    .updateTable('accounts')
    .set({ name, name_key: nameKey(name), name_changed_at_ms: nowMs })
    .where('id', '=', id)
    .execute();
  await indexNames(trx, [{ id, name }]);
  await watchProfile(trx, id, before, { ...before, name }, nowMs);
  return true;
}

/**
 * @returns whether the address has changed
 * @throws ApiError `email_taken`; `too_many_requests` when no mail can be sent to the new address; `suspended`, because
 * the old address would become free for another account
 */
async function changeEmail(
  trx: Database,
  id: string,
  email: string,
  site: { hasMail: boolean; isLast: boolean; nowMs: number },
): Promise<boolean> {
  const former = await trx
    .selectFrom('accounts')
    .select(['email', 'email_confirmed_at_ms'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  try {
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ email, email_key: emailKey(email) })
      .where('id', '=', id)
      .where('email', '!=', email)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const restriction = await findRestriction(trx, id, site.nowMs);
    if (restriction?.code === 'suspended') throw restrictionError(restriction);
    await replaceAddress(trx, { id, email }, former, site);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

function changedRecently(waitMs: number): ApiError {
  const minutes = Math.ceil(waitMs / 60_000);
  const hours = Math.ceil(minutes / 60);
  const when = minutes > 90 ? `${hours} horas` : minutes === 1 ? 'un minuto' : `${minutes} minutos`;
  const detail = `El nombre se puede cambiar una vez al día. Podrás cambiarlo otra vez dentro de ${when}.`;
  return new ApiError('name_changed_recently', {
    detail,
    errors: [{ field: 'name', message: detail }],
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
