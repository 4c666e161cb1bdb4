import { pageRoutes } from '../../shared/routes.ts';
import { emailKey } from '../accounts/email-key.ts';
import { createPasswordLink, linkMinutes } from '../accounts/password-links.ts';
import { endSessions } from '../accounts/sessions.ts';
import type { Database } from '../database/tables.ts';
import { type Admin, AdminRefused, audited } from './admin.ts';
import { showTable, toTime } from './show-table.ts';

const mostShown = 50;
/** Of the hash that a session is kept by: enough to tell those of one account apart. */
const sessionNameChars = 10;

interface Account {
  id: string;
  name: string;
  email: string;
  disabled_at_ms: number | null;
}

/** Lists accounts whose name, e-mail or id has these letters, whatever their case and accents. */
export async function listAccounts({ db, say }: Admin, search = ''): Promise<void> {
  const wanted = fold(search);
  const all = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'created_at_ms', 'disabled_at_ms'])
    .orderBy('id')
    .execute();
  const found = all.filter((one) =>
    [one.name, one.email, one.id].some((text) => fold(text).includes(wanted)),
  );
  showTable(
    say,
    ['account', 'e-mail', 'name', 'since', ''],
    found
      .slice(0, mostShown)
      .map((one) => [one.id, one.email, one.name, toTime(one.created_at_ms), stateOf(one)]),
  );
  if (found.length > mostShown) say(`… and ${found.length - mostShown} more: search for them`);
}

export async function listSessions({ db, say, now }: Admin, who: string): Promise<void> {
  const account = await findAccount(db, who);
  const sessions = await db
    .selectFrom('sessions')
    .select(['token_hash', 'created_at_ms', 'expires_at_ms'])
    .where('account_id', '=', account.id)
    .where('expires_at_ms', '>', now())
    .orderBy('created_at_ms')
    .execute();
  showTable(
    say,
    ['session', 'opened', 'ends when unused until'],
    sessions.map((one) => [
      one.token_hash.slice(0, sessionNameChars),
      toTime(one.created_at_ms),
      toTime(one.expires_at_ms),
    ]),
  );
}

/** @param session as it is listed; undefined ends all of the account's */
export async function closeSessions(admin: Admin, who: string, session?: string): Promise<void> {
  const { id } = await findAccount(admin.db, who);
  const ended = await audited(admin, { action: 'end-sessions', subject: id }, async (trx) => {
    const open = await trx
      .selectFrom('sessions')
      .select('token_hash')
      .where('account_id', '=', id)
      .execute();
    const meant = open
      .map(({ token_hash }) => token_hash)
      .filter((hash) => session === undefined || hash.slice(0, sessionNameChars) === session);
    if (session !== undefined && meant.length === 0) {
      throw new AdminRefused(`The account has no session ${session}.`);
    }
    if (meant.length > 0) {
      await trx.deleteFrom('sessions').where('token_hash', 'in', meant).execute();
    }
    return meant.length;
  });
  admin.say(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`);
}

/** Prints a link with which whoever has it sets a new password for the account, once. */
export async function linkToPassword(admin: Admin, who: string): Promise<void> {
  const { config, say, now } = admin;
  const account = await findAccount(admin.db, who);
  if (account.disabled_at_ms !== null) throw new AdminRefused('The account is disabled.');
  const action = { action: 'password-link', subject: account.id };
  const token = await audited(admin, action, (trx) => createPasswordLink(trx, account.id, now()));
  const origin = config.publicUrl ?? `http://localhost:${config.port}`;
  say(`${origin}${pageRoutes.password}#${token}`);
  say(`For ${account.email}, once, within ${linkMinutes} minutes. Whoever has it gets in:`);
  say('hand it over where nobody else reads it. It ends all sessions of the account.');
  if (!config.publicUrl) say('PUBLIC_URL is not set: put the address of your site in its place.');
}

export async function disableAccount(admin: Admin, who: string): Promise<void> {
  const account = await findAccount(admin.db, who);
  await audited(admin, { action: 'disable-account', subject: account.id }, async (trx) => {
    await trx
      .updateTable('accounts')
      .set({ disabled_at_ms: admin.now() })
      .where('id', '=', account.id)
      .execute();
    await endSessions(trx, account.id);
    await trx.deleteFrom('password_links').where('account_id', '=', account.id).execute();
  });
  admin.say(`${account.email} cannot sign in any more. What it wrote stays.`);
}

export async function enableAccount(admin: Admin, who: string): Promise<void> {
  const account = await findAccount(admin.db, who);
  await audited(admin, { action: 'enable-account', subject: account.id }, async (trx) => {
    // One that was being opened while the account was disabled must not come alive.
    await endSessions(trx, account.id);
    await trx
      .updateTable('accounts')
      .set({ disabled_at_ms: null })
      .where('id', '=', account.id)
      .execute();
  });
  admin.say(`${account.email} can sign in again.`);
}

/** @param who an id or an e-mail, in any case or Unicode form @throws AdminRefused */
async function findAccount(db: Database, who: string): Promise<Account> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'disabled_at_ms'])
    .where((eb) => eb.or([eb('id', '=', who), eb('email_key', '=', emailKey(who))]))
    .executeTakeFirst();
  if (!account) throw new AdminRefused(`There is no account with the id or e-mail ${who}.`);
  return account;
}

const stateOf = ({ disabled_at_ms }: Account) => (disabled_at_ms === null ? '' : 'disabled');

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
