import { pageRoutes } from '../../../shared/routes.ts';
import { linkMinutes } from '../../accounts/recovery/password-links.ts';
import { readSessions } from '../../accounts/sessions/session-list.ts';
import {
  disableAccount,
  enableAccount,
  endAccountSessions,
} from '../../moderation/accounts.ts';
import { linkToPassword } from '../../moderation/password-link.ts';
import { findAccount, searchAccounts } from './find-accounts.ts';
import { printMatches, printTable, toTime } from './print-table.ts';
import type { AdminContext } from './with-admin.ts';

export async function accounts(admin: AdminContext, search = ''): Promise<void> {
  await printMatches(
    admin.print,
    ['account', 'e-mail', 'name', 'since', ''],
    (after) => searchAccounts(admin.db, search, after),
    ({ id, email, name, created_at_ms, disabled_at_ms }) => {
      return [id, email, name, toTime(created_at_ms), disabled_at_ms === null ? '' : 'disabled'];
    },
  );
}

export async function sessions(admin: AdminContext, idOrEmail: string): Promise<void> {
  const { id } = await findAccount(admin.db, idOrEmail);
  const found = await readSessions(admin.db, id, admin.now());
  printTable(
    admin.print,
    ['session', 'opened', 'last used', 'browser', ''],
    found.map(({ id, createdAt, lastUsedAt, browser, isRemembered }) => [
      id,
      toTime(Date.parse(createdAt)),
      toTime(Date.parse(lastUsedAt)),
      browser,
      isRemembered ? 'stays signed in' : '',
    ]),
  );
}

export async function endSessions(
  admin: AdminContext,
  idOrEmail: string,
  session?: string,
): Promise<void> {
  const { id } = await findAccount(admin.db, idOrEmail);
  const ended = await endAccountSessions(admin, id, session);
  admin.print(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`);
}

export async function password(admin: AdminContext, idOrEmail: string): Promise<void> {
  const { config, db, print } = admin;
  const { id, email } = await findAccount(db, idOrEmail);
  const token = await linkToPassword(admin, id);
  const origin = config.publicUrl ?? `http://localhost:${config.port}`;
  print(`${origin}${pageRoutes.password}#${token}`);
  print(`For ${email}, once, within ${linkMinutes} minutes. It gives access to the account:`);
  print('send it over a private channel. Using it ends all sessions, recovery codes and passkeys');
  print('of the account.');
  if (!config.publicUrl)
    print('PUBLIC_URL is not set: replace the origin with the address of your site.');
}

export async function disable(admin: AdminContext, idOrEmail: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, idOrEmail);
  await disableAccount(admin, id);
  admin.print(`${email} cannot sign in any more. Its channels and comments stay.`);
}

export async function enable(admin: AdminContext, idOrEmail: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, idOrEmail);
  await enableAccount(admin, id);
  admin.print(`${email} can sign in again.`);
}
