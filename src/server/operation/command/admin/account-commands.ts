import Value from 'typebox/value';
import { limits } from '../../../../shared/limits.ts';
import { Role } from '../../../../shared/moderation.ts';
import { pageRoutes } from '../../../../shared/routes.ts';
import { makeFounderLink } from '../../../accounts/invitations/founder-link.ts';
import { shownAddress } from '../../../http/site-origin.ts';
import { createAccount } from '../../../moderation/members/create-account.ts';
import { disableAccount, enableAccount } from '../../../moderation/members/disable-account.ts';
import { linkToPassword } from '../../../moderation/members/password-link.ts';
import { requestErasure } from '../../../moderation/members/request-erasure.ts';
import { setRole } from '../../../moderation/members/roles.ts';
import { cancelDeletion } from '../../../privacy/deletion/deletion-request.ts';
import { adminCommand } from '../../../system/installation.ts';
import { OperatorError } from '../../../system/operator-error.ts';
import { findAccount, findAccounts, searchAccounts } from './find-accounts.ts';
import { forEachOf } from './for-each-of.ts';
import { printMatches, toTime } from './print-table.ts';
import type { AdminContext } from './with-admin.ts';

export async function accounts(admin: AdminContext, search = ''): Promise<void> {
  await printMatches(
    admin.print,
    ['account', 'e-mail', 'name', 'since', 'role', 'state'],
    (after) => searchAccounts(admin, search, after),
    (one) => [one.id, one.email, one.name, toTime(one.created_at_ms), one.role, stateOf(one)],
  );
}

type Found = Awaited<ReturnType<typeof searchAccounts>>['data'][number];

/** Describes every restriction of an account, for the operator. */
function stateOf({ erased_at_ms, deletion_at_ms, restrictions, ...one }: Found): string {
  if (erased_at_ms !== null) return 'erased';
  const signsIn = { pending: 'waiting', refused: 'refused', imported: 'no account' };
  const states = [
    ...(one.disabled_at_ms === null ? [] : [one.admission ? signsIn[one.admission] : 'disabled']),
    ...restrictions.map(({ action, until_ms }) => {
      const state = { suspend: 'suspended', hideAll: 'hidden' }[action as string] ?? 'silenced';
      return until_ms === null ? state : `${state} until ${toTime(until_ms)}`;
    }),
    ...(deletion_at_ms === null ? [] : [`to be erased ${toTime(deletion_at_ms)}`]),
  ];
  return states.length > 0 ? states.join(', ') : 'active';
}

export async function password(admin: AdminContext, idOrEmail: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, idOrEmail);
  printLink(admin, pageRoutes.password, await linkToPassword(admin, id), [
    `For ${email}, once, within ${limits.passwordLinkMinutes} minutes. It gives access to the account:`,
    'send it over a private channel. Using it ends all sessions. The owner is told of it.',
  ]);
}

export async function create(admin: AdminContext, typed: string, name?: string): Promise<void> {
  const { email, token } = await createAccount(admin, typed, name);
  printLink(admin, pageRoutes.password, token, [
    `For ${email}, to choose a password, once, within ${limits.passwordLinkMinutes} minutes. It gives access to the`,
    `account: send it over a private channel. For another link: tertulia admin password ${email}`,
  ]);
}

/** Prints a link that makes its user the first admin, while there is none. */
export async function founder(admin: AdminContext): Promise<void> {
  const link = await makeFounderLink(admin.db, admin.now());
  if (!link)
    throw new OperatorError(
      `Somebody administers this site already. For another admin: ${adminCommand} role EMAIL admin`,
    );
  printLink(admin, pageRoutes.register, link.code, [
    'Whoever signs up with it, once, within a day, administers the site: send it over a private channel.',
    'Earlier links have ended.',
  ]);
}

function printLink(
  { config, print }: AdminContext,
  page: string,
  token: string,
  about: string[],
): void {
  const origin = config.publicUrl ?? `http://localhost:${config.port}`;
  print(`${shownAddress(origin)}${page}#${token}`);
  for (const line of about) print(line);
  if (!config.publicUrl)
    print('PUBLIC_URL is not set: replace the origin with the address of your site.');
}

export async function disable(admin: AdminContext, ...accounts: string[]): Promise<void> {
  const found = await findAccounts(admin.db, accounts);
  await forEachOf(admin, found, async ({ id, email }) => {
    await disableAccount(admin, id);
    admin.print(`${email} can no longer sign in. Its channels and comments stay.`);
  });
}

export async function enable(admin: AdminContext, ...accounts: string[]): Promise<void> {
  const found = await findAccounts(admin.db, accounts);
  await forEachOf(admin, found, async ({ id, email }) => {
    await enableAccount(admin, id);
    admin.print(`${email} can sign in again.`);
  });
}

export async function changeRole(admin: AdminContext, ...args: string[]): Promise<void> {
  const role = args.at(-1);
  if (!Value.Check(Role, role)) throw new OperatorError('A role is member, moderator or admin.');
  const found = await findAccounts(admin.db, args.slice(0, -1));
  await forEachOf(admin, found, async ({ id, email }) => {
    await setRole(admin, id, role);
    admin.print(`${email} is ${role} from now on.`);
  });
}

/** Requests the erasure of accounts, as their owners could, after one confirmation. Prints the receipts for the owners. */
export async function eraseAccount(admin: AdminContext, ...typed: string[]): Promise<void> {
  const found = await findAccounts(admin.db, typed);
  const named = [...found.values()].map(({ id, email }) => `${email} (${id})`).join(', ');
  const wrote = found.size > 1 ? 'they' : 'it';
  const when = admin.isNow ? 'now, for good' : `in ${limits.deletionDays} days`;
  if (!(await admin.confirm(`Erase ${named} with everything ${wrote} wrote, ${when}?`)))
    throw new OperatorError('Nothing was changed.');
  await forEachOf(admin, found, ({ id, email }) => eraseOne(admin, id, email));
}

async function eraseOne(admin: AdminContext, id: string, email: string): Promise<void> {
  const { print, isNow } = admin;
  const { receipt, endsAt } = await requestErasure(admin, id, isNow);
  print(`Receipt, for the owner of ${email}:`);
  print(
    `Comentarios: ${receipt.comments}. Canales: ${receipt.channels}. Imágenes: ${receipt.images}.`,
  );
  print('Lo que queda:');
  for (const { what, why, until } of receipt.stays) print(`- ${what}: ${until}. ${why}`);
  print(
    isNow
      ? 'The server, or the next one that starts, erases it within an hour at the latest.'
      : `It is erased ${toTime(Date.parse(endsAt))} (UTC), unless its owner signs in and cancels that, or you do: cancel-erasure ${id}`,
  );
}

export async function cancelErasure(admin: AdminContext, ...accounts: string[]): Promise<void> {
  const found = await findAccounts(admin.db, accounts);
  await forEachOf(admin, found, async ({ id, email }) => {
    if (!(await cancelDeletion(admin, id)))
      throw new OperatorError(`Nobody asked for ${email} to be erased.`);
    admin.print(`${email} is no longer scheduled for erasure.`);
  });
}
