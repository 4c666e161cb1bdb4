import { type SqlBool, sql } from 'kysely';
import type { Person } from '../../../shared/people.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { requirePerson } from '../../people/person-queries.ts';
import type { Query } from './parse-query.ts';
import { type Match, prefixOf } from './terms.ts';

/** People on the first page of results. */
const shownPeople = 5;
/** Accounts with the rarest word of a name, the newest ones, among which those with the others are looked for. */
const comparedNames = 1000;

/** Finds the accounts, not disabled ones, whose names have all words of a query, the shortest names first. */
export async function findPeople(db: Database, { words, ...query }: Query): Promise<Person[]> {
  if (query.excluded.length + query.excludedPhrases.length > 0) return [];
  const name = words.map(({ form, entry }) => [entry[0]?.endsWith('*') ? `${form}*` : form]);
  const people: Person[] = [];
  for (const { id } of await findNamed(db, name, shownPeople)) {
    // It may have been erased since it was found.
    const person = await requirePerson(db, id).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
    if (person) people.push(person);
  }
  return people;
}

/** Finds accounts, not disabled ones, whose names have one of the matches of each entry. */
export async function findNamed(
  db: Database,
  name: Match[][],
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const [first, ...others] = name.length > 1 ? await rarestFirst(db, name) : name;
  if (first === undefined) return [];
  const hasOthers = others.map(
    (other) => sql`and exists (
      select 1 from account_names where account_id = accounts.id and ${isWord(other)}
    )`,
  );
  const { rows } = await sql<{ id: string; name: string }>`
    select accounts.id, accounts.name from (
      select distinct account_id from (
        select account_id from account_names where ${isWord(first)}
        order by word, account_id desc limit ${comparedNames}
      ) as newest
    ) as named
    join accounts on accounts.id = named.account_id
    where accounts.disabled_at_ms is null ${sql.join(hasOthers, sql` `)}
    order by length(accounts.name), accounts.id desc limit ${limit}
  `.execute(db);
  return rows;
}

/** Puts the words that the fewest names have first, counted up to a limit. */
async function rarestFirst(db: Database, name: Match[][]): Promise<Match[][]> {
  const counts = name.map(
    (entry, index) => sql`select ${sql.lit(index)} as place, count(*) as names from (
      select 1 from account_names where ${isWord(entry)} limit ${comparedNames + 1}
    ) as named`,
  );
  const { rows } = await sql<{ place: number }>`
    select place from (${sql.join(counts, sql` union all `)}) as counted order by names, place
  `.execute(db);
  return rows.flatMap(({ place }) => [name[place] ?? []]);
}

function isWord(entry: Match[]) {
  const prefix = prefixOf(entry[0] ?? '');
  // The highest code point sorts after any continuation of the prefix.
  return prefix === undefined
    ? sql<SqlBool>`word in (${sql.join(entry)})`
    : sql<SqlBool>`word >= ${prefix} and word < ${`${prefix}\u{10ffff}`}`;
}
