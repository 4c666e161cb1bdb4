import { mentionedAccounts, type Names, type StoredText } from '../database/stored-text.ts';
import type { Database } from '../database/tables.ts';

/** The names of all accounts that the texts mention, in one query; none when they mention nobody. */
export async function findNames(db: Database, texts: (StoredText | null)[]): Promise<Names> {
  const ids = [...mentionedAccounts(texts)];
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('erased_at_ms', 'is', null)
    .execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}
