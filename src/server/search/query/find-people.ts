import { type SqlBool, sql } from 'kysely';
import type { Person } from '../../../shared/people.ts';
import { isPostgres } from '../../database/is-postgres.ts';
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
  const hasOthers = others.map(
    (other) => sql`and exists (
      select 1 from account_names where account_id = accounts.id and ${isWord(other)}
    )`,
  );
  const { rows } = await sql<{ id: string }>`
    select distinct accounts.id from (
      select account_id from account_names where ${isWord(first)}
      order by word, account_id limit ${comparedNames}
    ) as named
    join accounts on accounts.id = named.account_id
    where accounts.disabled_at_ms is null ${sql.join(hasOthers, sql` `)}
    order by accounts.id limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
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
  const list = JSON.stringify(words);
  // A subquery for each word: PostgreSQL would read all names for so many.
  const named = isPostgres(db)
    ? sql`json_array_elements_text(${list}::json) as given (value) cross join lateral (
        select account_id from account_names where word = value limit ${limit}
      ) as named`
    : sql`json_each(${list}) join account_names as named on named.word = value`;
  const { rows } = await sql<{ name: string }>`
    select accounts.name from ${named} join accounts on accounts.id = named.account_id
    where accounts.disabled_at_ms is null limit ${limit}
  `.execute(db);
  return rows.map(({ name }) => name);
}
