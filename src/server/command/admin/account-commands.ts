import { limits } from '../../../shared/limits.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { linkMinutes } from '../../accounts/recovery/password-links.ts';
import { readSessions } from '../../accounts/sessions/session-list.ts';
import { shownAddress } from '../../http/site-origin.ts';
import { disableAccount, enableAccount, endAccountSessions } from '../../moderation/accounts.ts';
import { eraseAccount as requestErasure } from '../../moderation/erase-account.ts';
import { linkToPassword } from '../../moderation/password-link.ts';
import { OperatorError } from '../../operator-error.ts';
import { findAccount, searchAccounts } from './find-accounts.ts';
import { printMatches, printTable, toTime } from './print-table.ts';
import type { AdminContext } from './with-admin.ts';

export async function accounts(admin: AdminContext, search = ''): Promise<void> {
  await printMatches(
    admin.print,
    ['account', 'e-mail', 'name', 'since', ''],
    (after) => searchAccounts(admin.db, search, after),
    (one) => [one.id, one.email, one.name, toTime(one.created_at_ms), stateOf(one)],
  );
}

type Found = Awaited<ReturnType<typeof searchAccounts>>['data'][number];

function stateOf({ disabled_at_ms, deletion_at_ms, erased_at_ms }: Found): string {
  if (erased_at_ms !== null) return 'erased';
  const states = [
    ...(disabled_at_ms === null ? [] : ['disabled']),
    ...(deletion_at_ms === null ? [] : [`to be erased ${toTime(deletion_at_ms)}`]),
  ];
  return states.join(', ');
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
  print(`${shownAddress(origin)}${pageRoutes.password}#${token}`);
  print(`For ${email}, once, within ${linkMinutes} minutes. It gives access to the account:`);
  print('send it over a private channel. Using it ends all sessions. The owner is told of it.');
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

/** Asks, and has the account erased as its owner could. Prints the receipt, which says what stays, for the owner. */
export async function eraseAccount(admin: AdminContext, idOrEmail: string): Promise<void> {
  const { db, print, isNow } = admin;
  const { id, email } = await findAccount(db, idOrEmail);
  const when = isNow ? 'now, for good' : `in ${limits.deletionDays} days`;
  if (!(await admin.confirm(`Erase ${email} (${id}) with all that it wrote, ${when}?`)))
    throw new OperatorError('Nothing was changed.');
  const { receipt, endsAt } = await requestErasure(admin, id, isNow);
  print('Receipt, for the owner:');
  print(
    `Comentarios: ${receipt.comments}. Canales: ${receipt.channels}. Imágenes: ${receipt.images}.`,
  );
  print('Lo que queda:');
  for (const { what, why, until } of receipt.stays) print(`- ${what}: ${until}. ${why}`);
  print(
    isNow
      ? 'The server erases it within a minute, or the next one that starts.'
      : `It is erased ${toTime(Date.parse(endsAt))} (UTC), unless its owner signs in and cancels that.`,
  );
}
