import { type SqlBool, sql } from 'kysely';
import type { Person } from '../../../shared/people.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { requirePerson } from '../../people/person-queries.ts';
import type { Query } from './parse-query.ts';
import { type Match, prefixOf } from './terms.ts';

/** People on the first page of results. */
const shownPeople = 5;
/** Accounts with the first word of a name among which those with the others are looked for. */
const comparedNames = 1000;

/** Finds the accounts, not disabled ones, whose names have all words of a query, the oldest first. */
export async function findPeople(db: Database, { words, ...query }: Query): Promise<Person[]> {
  if (query.excluded.length + query.excludedPhrases.length > 0) return [];
  const name = words.map(({ form, entry }) => (entry[0]?.endsWith('*') ? `${form}*` : form));
  const people: Person[] = [];
  for (const id of await findNamed(db, name, shownPeople)) {
    // It may have been erased since it was found.
    const person = await requirePerson(db, id).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
    if (person) people.push(person);
  }
  return people;
}

/** Finds ids of accounts, not disabled ones, whose names have all words. */
export async function findNamed(
  db: Database,
  [first, ...others]: Match[],
  limit: number,
): Promise<string[]> {
  if (first === undefined) return [];
  const candidates = db
    .selectFrom('account_names')
    .where(isWord(first))
    .select('account_id as id')
    .orderBy('word')
    .orderBy('account_id')
    .limit(comparedNames);
  let query = db
    .selectFrom(candidates.as('named'))
    .innerJoin('accounts', 'accounts.id', 'named.id')
    .where('accounts.disabled_at_ms', 'is', null)
    .select('accounts.id')
    .distinct()
    .orderBy('accounts.id')
    .limit(limit);
  for (const other of others) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('account_names')
          .select('word')
          .whereRef('account_names.account_id', '=', 'accounts.id')
          .where(isWord(other)),
      ),
    );
  }
  return (await query.execute()).map(({ id }) => id);
}

function isWord(match: Match) {
  const prefix = prefixOf(match);
  // The highest code point sorts after any continuation of the prefix.
  return prefix === undefined
    ? sql<SqlBool>`word = ${match}`
    : sql<SqlBool>`word >= ${prefix} and word < ${`${prefix}\u{10ffff}`}`;
}

/** Finds names, not of disabled accounts, that have one of the words. */
export async function findNames(db: Database, words: string[], limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('account_names')
    .innerJoin('accounts', 'accounts.id', 'account_names.account_id')
    .where('word', 'in', words)
    .where('accounts.disabled_at_ms', 'is', null)
    .select('accounts.name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
