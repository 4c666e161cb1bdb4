import { visibleKey } from '../../../../shared/clean-text.ts';
import { nameKey } from '../../../accounts/names.ts';
import { restrictionsInForce } from '../../../accounts/standing/restrictions.ts';
import type { Database } from '../../../database/tables.ts';
import { emailKey } from '../../../mail/email-key.ts';
import { OperatorError } from '../../../system/operator-error.ts';
import type { AdminContext } from './with-admin.ts';

interface Account {
  id: string;
  email: string;
}

/** Number of accounts that one call of `searchAccounts` reads. */
const searchedAccounts = 500;

/**
 * Searches the next 500 accounts, in the order of their ids, with the decisions that restrict them. The result
 * contains e-mail addresses, which only the operator may see.
 * @param search part of the name, e-mail or id; case and accents are ignored
 * @param after `next` of the previous page
 */
export async function searchAccounts(
  { db, now }: Pick<AdminContext, 'db' | 'now'>,
  search: string,
  after = '',
) {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'created_at_ms', 'role', 'admission'])
    .select(['disabled_at_ms', 'deletion_at_ms', 'erased_at_ms'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(searchedAccounts)
    .execute();
  const wanted = nameKey(search);
  const found = rows.filter((one) =>
    [one.name, one.email, one.id].some((text) => nameKey(text).includes(wanted)),
  );
  const restrictions = await readRestrictions({ db, now }, found);
  return {
    data: found.map((one) => ({
      ...one,
      restrictions: restrictions.filter(({ account_id }) => account_id === one.id),
    })),
    next: rows.length === searchedAccounts ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** @returns the decisions in force that restrict these accounts */
async function readRestrictions(
  { db, now }: Pick<AdminContext, 'db' | 'now'>,
  accounts: { id: string }[],
) {
  if (accounts.length === 0) return [];
  const ids = accounts.map(({ id }) => id);
  return restrictionsInForce(db, now())
    .select(['account_id', 'action', 'until_ms'])
    .where('account_id', 'in', ids)
    .execute();
}

/**
 * Finds an account by id or e-mail. An e-mail address may equal the id of another account, so the prefixes `id:`
 * and `email:` say which is meant; neither ids nor e-mails contain a colon.
 * @param idOrEmail an e-mail in any case or Unicode form
 * @throws OperatorError when there is none, or when it is the id of one account and the e-mail of another
 */
export async function findAccount(db: Database, idOrEmail: string): Promise<Account> {
  const [, kind, value = ''] = /^(?:(id|email):)?(.*)$/s.exec(visibleKey(idOrEmail)) ?? [];
  const byId = kind === 'email' ? undefined : await selectAccount(db, 'id', value);
  const byEmail = kind === 'id' ? undefined : await selectAccount(db, 'email_key', emailKey(value));
  if (byId && byEmail && byId.id !== byEmail.id) {
    throw new OperatorError(
      `${value} is the id of the account with the e-mail ${byId.email || '(none: it is erased)'}, and the e-mail of the account with the id ${byEmail.id}. Name one: id:${value} or email:${value}.`,
    );
  }
  const account = byId ?? byEmail;
  if (!account) throw new OperatorError(`There is no account with the id or e-mail ${idOrEmail}.`);
  return account;
}

/**
 * Finds all accounts of a command before it changes the first.
 * @returns the accounts by their typed form, each once
 * @throws OperatorError as `findAccount`
 */
export async function findAccounts(db: Database, typed: string[]): Promise<Map<string, Account>> {
  const found = new Map<string, Account>();
  for (const idOrEmail of typed) {
    const account = await findAccount(db, idOrEmail);
    if (![...found.values()].some(({ id }) => id === account.id)) found.set(idOrEmail, account);
  }
  return found;
}

function selectAccount(db: Database, column: 'id' | 'email_key', value: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(column, '=', value)
    .executeTakeFirst();
}
