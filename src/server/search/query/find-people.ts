import { type SqlBool, sql } from 'kysely';
import type { Person } from '../../../shared/people.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { engineOf } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import { requirePerson } from '../../forum/people/person-queries.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Query } from './parse-query.ts';
import { type Match, prefixOf } from './terms.ts';

/** Maximum number of people on the first page of results. */
const shownPeople = 5;
/** Number of newest accounts with any word of a query in their names that are checked for all of its words. */
const comparedNames = 1000;

/** Finds accounts, neither disabled nor hidden, whose names have all words of a query, shortest names first. */
export async function findPeople(db: Database, { words, ...query }: Query): Promise<Person[]> {
  if (query.excluded.length + query.excludedPhrases.length > 0) return [];
  const name = words.map(({ form, entry }) => [entry[0]?.endsWith('*') ? `${form}*` : form]);
  const people: Person[] = [];
  for (const { id } of await findNamed(db, name, shownPeople)) {
    // The account may have been erased since it was found.
    const person = await requirePerson(db, id).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
    if (person) people.push(person);
  }
  return people;
}

/** Finds listed accounts, neither disabled nor hidden, whose names match each entry, shortest names first. */
export async function findNamed(
  db: Database,
  name: Match[][],
  limit: number,
): Promise<{ id: string; name: string }[]> {
  if (name.length === 0 || name.some((entry) => entry.length === 0)) return [];
  const whole = name.filter(([only, other]) => other === undefined && !only?.endsWith('*')).flat();
  // Skips the next query, which takes milliseconds for several words, if no name has one of them.
  if (name.length > 1 && (await wordsOfNames(db, whole)).length < whole.length) return [];
  // Each word has its own share, so that a frequent word does not crowd out a rare one.
  const share = Math.ceil(comparedNames / name.length);
  const newest = name.map(
    (entry) => sql`select account_id from (
      select account_id from account_names where ${isWord(entry)}
      order by word, account_id desc limit ${share}
    ) as newest`,
  );
  const hasAll = name.map(
    (entry) => sql`exists (
      select 1 from account_names where account_id = accounts.id and ${isWord(entry)}
    )`,
  );
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from accounts
    where id in (${sql.join(newest, sql` union `)}) and disabled_at_ms is null
      and ${sql.join(hasAll, sql` and `)} and ${isListed}
    order by length(name), id desc limit ${limit}
  `.execute(db);
  return rows;
}

/** Finds accounts, neither disabled nor hidden, whose names have one of these words, at most `limit` per word. */
export async function findNamedEach(
  db: Database,
  words: string[],
  limit: number,
): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  if (words.length === 0) return ids;
  const each = words.map(
    (word) => sql`select word, id from (
      select word, id from account_names join accounts on id = account_id
      where word = ${word} and disabled_at_ms is null and hidden_by is null limit ${limit}
    ) as named`,
  );
  const query = sql<{ word: string; id: string }>`${sql.join(each, sql` union all `)}`;
  for (const { word, id } of (await query.execute(db)).rows) {
    ids.set(word, [...(ids.get(word) ?? []), id]);
  }
  return ids;
}

/** @returns the given words that occur in the name of any account */
export async function wordsOfNames(db: Database, words: string[]): Promise<string[]> {
  // One subquery per word, because with a single query for many words PostgreSQL would read all names.
  const { rows } = await sql<{ word: string | null }>`
    select (select word from account_names where word = value limit 1) as word
    from ${engineOf(db).givenTexts(words)}
  `.execute(db);
  return rows.flatMap(({ word }) => word ?? []);
}

function isWord(entry: Match[]) {
  const prefix = prefixOf(entry[0] ?? '');
  // The highest code point sorts after any continuation of the prefix.
  return prefix === undefined
    ? sql<SqlBool>`word in (${sql.join(entry)})`
    : sql<SqlBool>`word >= ${prefix} and word < ${`${prefix}\u{10ffff}`}`;
}
