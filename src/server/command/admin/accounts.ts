import { pageRoutes } from '../../../shared/routes.ts';
import { emailKey } from '../../accounts/email-key.ts';
import { nameKey } from '../../accounts/name-key.ts';
import { lockOpenAccount } from '../../accounts/passwords/current-password.ts';
import { createPasswordLink, linkMinutes } from '../../accounts/recovery/password-links.ts';
import { endListed, readSessions } from '../../accounts/sessions/session-list.ts';
import { endSessions } from '../../accounts/sessions/sessions.ts';
import type { Database } from '../../database/tables.ts';
import { printMatches, printTable, toTime } from './print-table.ts';
import { type Admin, AdminError, audited } from './with-admin.ts';

/** Lists accounts whose name, e-mail or id contains the text, ignoring case and accents. */
export async function listAccounts({ db, print }: Admin, search = ''): Promise<void> {
  const wanted = nameKey(search);
  const all = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'created_at_ms', 'disabled_at_ms'])
    .orderBy('id')
    .execute();
  const found = all.filter((one) =>
    [one.name, one.email, one.id].some((text) => nameKey(text).includes(wanted)),
  );
  printMatches(
    print,
    ['account', 'e-mail', 'name', 'since', ''],
    found.map(({ id, email, name, created_at_ms, disabled_at_ms }) => {
      return [id, email, name, toTime(created_at_ms), disabled_at_ms === null ? '' : 'disabled'];
    }),
  );
}

export async function listSessions({ db, print, now }: Admin, idOrEmail: string): Promise<void> {
  const account = await findAccount(db, idOrEmail);
  const sessions = await readSessions(db, account.id, now());
  printTable(
    print,
    ['session', 'opened', 'last used', 'browser', ''],
    sessions.map(({ id, createdAt, lastUsedAt, browser, isRemembered }) => [
      id,
      toTime(Date.parse(createdAt)),
      toTime(Date.parse(lastUsedAt)),
      browser,
      isRemembered ? 'stays signed in' : '',
    ]),
  );
}

/** @param session as listed by `listSessions`; undefined ends all sessions of the account */
export async function closeSessions(
  admin: Admin,
  idOrEmail: string,
  session?: string,
): Promise<void> {
  const { id } = await findAccount(admin.db, idOrEmail);
  const ended = await audited(admin, { action: 'end-sessions', subject: id }, async (trx) => {
    await lockOpenAccount(trx, 'id', id);
    if (session === undefined) return endSessions(trx, id);
    const hasEnded = await endListed(trx, id, session);
    if (!hasEnded) throw new AdminError(`The account has no session ${session}.`);
    return 1;
  });
  admin.print(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`);
}

/** Prints a link that sets a new password for the account, once. */
export async function linkToPassword(admin: Admin, idOrEmail: string): Promise<void> {
  const { config, print, now } = admin;
  const account = await findAccount(admin.db, idOrEmail);
  if (account.disabled_at_ms !== null) throw new AdminError('The account is disabled.');
  const action = { action: 'password-link', subject: account.id };
  const token = await audited(admin, action, (trx) => createPasswordLink(trx, account.id, now()));
  const origin = config.publicUrl ?? `http://localhost:${config.port}`;
  print(`${origin}${pageRoutes.password}#${token}`);
  print(
    `For ${account.email}, once, within ${linkMinutes} minutes. It gives access to the account:`,
  );
  print('send it over a private channel. Using it ends all sessions, recovery codes and passkeys');
  print('of the account.');
  if (!config.publicUrl)
    print('PUBLIC_URL is not set: replace the origin with the address of your site.');
}

export async function disableAccount(admin: Admin, idOrEmail: string): Promise<void> {
  const account = await findAccount(admin.db, idOrEmail);
  await audited(admin, { action: 'disable-account', subject: account.id }, async (trx) => {
    await trx
      .updateTable('accounts')
      .set({ disabled_at_ms: admin.now() })
      .where('id', '=', account.id)
      .execute();
    await endSessions(trx, account.id);
    await trx.deleteFrom('password_links').where('account_id', '=', account.id).execute();
  });
  admin.print(`${account.email} cannot sign in any more. Its channels and comments stay.`);
}

export async function enableAccount(admin: Admin, idOrEmail: string): Promise<void> {
  const account = await findAccount(admin.db, idOrEmail);
  if (account.erased_at_ms !== null) throw new AdminError('The account is erased.');
  await audited(admin, { action: 'enable-account', subject: account.id }, async (trx) => {
    await trx
      .updateTable('accounts')
      .set({ disabled_at_ms: null })
      .where('id', '=', account.id)
      .execute();
    // A version that runs beside this one may have opened a session while the account was being disabled.
    await endSessions(trx, account.id);
  });
  admin.print(`${account.email} can sign in again.`);
}

/**
 * An e-mail address may be the id of another account. Neither contains a colon, so `id:` and `email:` say
 * which is meant.
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
