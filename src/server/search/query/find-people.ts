import type { Person } from '../../../shared/people.ts';
import type { Database } from '../../database/tables.ts';
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
  return Promise.all(ids.map((id) => requirePerson(db, id)));
}

/** Finds ids of accounts, not disabled ones, whose names have all words. */
export async function findNamed(
  db: Database,
  [first, ...others]: NameWord[],
  limit: number,
): Promise<string[]> {
  if (!first) return [];
  const candidates = db
    .selectFrom('account_names as candidate')
    .select('candidate.account_id as id')
    .where('candidate.word', '>=', first.form)
    .where(
      'candidate.word',
      first.isPrefix ? '<' : '=',
      first.isPrefix ? `${first.form}\u{10ffff}` : first.form,
    )
    .orderBy('candidate.word')
    .orderBy('candidate.account_id')
    .limit(comparedNames);
  let query = db
    .selectFrom(candidates.as('named'))
    .innerJoin('accounts', 'accounts.id', 'named.id')
    .where('accounts.disabled_at_ms', 'is', null)
    .select('accounts.id')
    .distinct()
    .orderBy('accounts.id')
    .limit(limit);
  for (const { form, isPrefix } of others) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('account_names')
          .select('word')
          .whereRef('account_names.account_id', '=', 'accounts.id')
          .where('word', '>=', form)
          .where('word', isPrefix ? '<' : '=', isPrefix ? `${form}\u{10ffff}` : form),
      ),
    );
  }
  return (await query.execute()).map(({ id }) => id);
}

/** Finds names, not of disabled accounts, that have one of the words. */
export async function findNames(db: Database, words: string[], limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('account_names')
    .innerJoin('accounts', 'accounts.id', 'account_names.account_id')
    .where('word', 'in', words)
    .where('disabled_at_ms', 'is', null)
    .select('accounts.name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
