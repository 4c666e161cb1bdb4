import { type SqlBool, sql } from 'kysely';
import type { Person } from '../../../shared/people.ts';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { requirePerson } from '../../people/person-queries.ts';
import type { Query } from './parse-query.ts';

/** People on the first page of results. */
const shownPeople = 5;
/** Accounts with the first word of a name among which those with the others are looked for. */
const comparedNames = 1000;

interface NameWord {
  form: string;
  isPrefix: boolean;
}

/** Finds the accounts, not disabled ones, whose names have all words of a query, the oldest first. */
export async function findPeople(db: Database, { words, ...query }: Query): Promise<Person[]> {
  if (query.excluded.length + query.excludedPhrases.length > 0) return [];
  const name = words.map(({ form, entry }) => ({ form, isPrefix: entry[0]?.isPrefix === true }));
  const ids = await findNamed(db, name, shownPeople);
  const people: Person[] = [];
  for (const id of ids) {
    try {
      people.push(await requirePerson(db, id));
    } catch (error) {
      // It may have been erased since it was found.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return people;
}

/** Finds ids of accounts, not disabled ones, whose names have all words. */
export async function findNamed(
  db: Database,
  [first, ...others]: NameWord[],
  limit: number,
): Promise<string[]> {
  if (!first) return [];
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
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('account_names')
          .select('word')
          .whereRef('account_names.account_id', '=', 'accounts.id')
          .where(isWord(other)),
      ),
    );
  }
  return (await query.execute()).map(({ id }) => id);
}

function isWord({ form, isPrefix }: NameWord) {
  // The highest code point sorts after any continuation of the prefix.
  return isPrefix
    ? sql<SqlBool>`word >= ${form} and word < ${`${form}\u{10ffff}`}`
    : sql<SqlBool>`word = ${form}`;
}

/** Finds names, not of disabled accounts, that have one of the words. */
export async function findNames(db: Database, words: string[], limit: number): Promise<string[]> {
  const list = JSON.stringify(words);
  const given = isPostgres(db)
    ? sql`json_array_elements_text(${list}::json) as given (value)`
    : sql`json_each(${list})`;
  // A subquery for each word: PostgreSQL would read all names for so many.
  const named = isPostgres(db)
    ? sql`cross join lateral (
        select account_id from account_names where word = value limit ${limit}
      ) as named`
    : sql`join account_names as named on named.word = value`;
  const { rows } = await sql<{ name: string }>`
    select accounts.name from ${given} ${named}
    join accounts on accounts.id = named.account_id
    where accounts.disabled_at_ms is null limit ${limit}
  `.execute(db);
  return rows.map(({ name }) => name);
}
