import { emailKey } from '../accounts/email-key.ts';
import { nameKey } from '../accounts/name-key.ts';
import { lockOpenAccount } from '../accounts/passwords/current-password.ts';
import { createPasswordLink } from '../accounts/recovery/password-links.ts';
import { endListed, readSessions } from '../accounts/sessions/session-list.ts';
import { endSessions } from '../accounts/sessions/sessions.ts';
import type { Database } from '../database/tables.ts';
import { type Admin, AdminError, audited } from './audited.ts';

/** @returns accounts whose name, e-mail or id contains the text, ignoring case and accents */
export async function listAccounts({ db }: Pick<Admin, 'db'>, search: string) {
  const wanted = nameKey(search);
  const all = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'created_at_ms', 'disabled_at_ms'])
    .orderBy('id')
    .execute();
  return all.filter((one) =>
    [one.name, one.email, one.id].some((text) => nameKey(text).includes(wanted)),
  );
}

/** @throws AdminError without such an account */
export async function listSessions({ db, now }: Pick<Admin, 'db' | 'now'>, idOrEmail: string) {
  const account = await findAccount(db, idOrEmail);
  return readSessions(db, account.id, now());
}

/**
 * @param session as listed by `listSessions`; undefined ends all sessions of the account
 * @returns how many it ended
 * @throws AdminError without such an account or session
 */
export async function closeSessions(
  admin: Admin,
  idOrEmail: string,
  session?: string,
): Promise<number> {
  const { id } = await findAccount(admin.db, idOrEmail);
  return audited(
    admin,
    { row: `account ${id}`, action: 'end-sessions', subject: id },
    async (trx) => {
      await lockOpenAccount(trx, 'id', id);
      if (session === undefined) return endSessions(trx, id);
      const hasEnded = await endListed(trx, id, session);
      if (!hasEnded) throw new AdminError(`The account has no session ${session}.`);
      return 1;
    },
  );
}

/**
 * Creates a link that sets a new password for the account, once.
 * @returns its token @throws AdminError without such an account, or when it is disabled
 */
export async function linkToPassword(
  admin: Admin,
  idOrEmail: string,
): Promise<{ email: string; token: string }> {
  const { id, email, disabled_at_ms } = await findAccount(admin.db, idOrEmail);
  if (disabled_at_ms !== null) throw new AdminError('The account is disabled.');
  const action = { row: `account ${id}`, action: 'password-link', subject: id };
  const token = await audited(admin, action, (trx) => createPasswordLink(trx, id, admin.now()));
  return { email, token };
}

/** Prevents the account from signing in. @returns its e-mail @throws AdminError without such an account */
export async function disableAccount(admin: Admin, idOrEmail: string): Promise<string> {
  const account = await findAccount(admin.db, idOrEmail);
  await audited(
    admin,
    { row: `account ${account.id}`, action: 'disable-account', subject: account.id },
    async (trx) => {
      await trx
        .updateTable('accounts')
        .set({ disabled_at_ms: admin.now() })
        .where('id', '=', account.id)
        .execute();
      await endSessions(trx, account.id);
      await trx.deleteFrom('password_links').where('account_id', '=', account.id).execute();
    },
  );
  return account.email;
}

/** @returns the account's e-mail @throws AdminError without such an account, or when it is erased */
export async function enableAccount(admin: Admin, idOrEmail: string): Promise<string> {
  const account = await findAccount(admin.db, idOrEmail);
  if (account.erased_at_ms !== null) throw new AdminError('The account is erased.');
  await audited(
    admin,
    { row: `account ${account.id}`, action: 'enable-account', subject: account.id },
    async (trx) => {
      await trx
        .updateTable('accounts')
        .set({ disabled_at_ms: null })
        .where('id', '=', account.id)
        .execute();
      // An older version on the same database may have opened a session while the account was being disabled.
      await endSessions(trx, account.id);
    },
  );
  return account.email;
}

/**
 * An e-mail address may be the id of another account. The prefixes `id:` and `email:`, whose colon occurs
 * in neither, say which is meant.
 * @param idOrEmail an e-mail in any case or Unicode form
 * @throws AdminError when there is none, or when it is the id of one account and the e-mail of another
 */
async function findAccount(db: Database, idOrEmail: string) {
  const [, kind, value = ''] = /^(?:(id|email):)?(.*)$/s.exec(idOrEmail) ?? [];
  const byId = kind === 'email' ? undefined : await selectAccount(db, 'id', value);
  const byEmail = kind === 'id' ? undefined : await selectAccount(db, 'email_key', emailKey(value));
  if (byId && byEmail && byId.id !== byEmail.id) {
    throw new AdminError(
      `${value} is the id of the account with the e-mail ${byId.email || '(none: it is erased)'}, and the e-mail of the account with the id ${byEmail.id}. Name one: id:${value} or email:${value}.`,
    );
  }
  const account = byId ?? byEmail;
  if (!account) throw new AdminError(`There is no account with the id or e-mail ${idOrEmail}.`);
  return account;
}

function selectAccount(db: Database, column: 'id' | 'email_key', value: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'disabled_at_ms', 'erased_at_ms'])
    .where(column, '=', value)
    .executeTakeFirst();
}
