import { sql } from 'kysely';
import { hiddenName } from '../../shared/erased-name.ts';
import { isListed } from '../accounts/standing/listed.ts';
import type { Database } from '../database/tables.ts';
import { mentionedAccounts, type Names, type StoredText } from './stored-text.ts';

/** Ids in one query. SQLite allows 32,766. */
const batchSize = 10_000;

/** Names, as shown to visitors, of all accounts that the texts mention, except erased ones. Usually one query. */
export async function findNames(db: Database, texts: (StoredText | null)[]): Promise<Names> {
  const ids = [...mentionedAccounts(texts)];
  const names = new Map<string, string>();
  for (let start = 0; start < ids.length; start += batchSize) {
    const found = await db
      .selectFrom('accounts')
      .select(['id', 'name', sql<number>`case when ${isListed} then 1 else 0 end`.as('is_listed')])
      .where('id', 'in', ids.slice(start, start + batchSize))
      .where('erased_at_ms', 'is', null)
      .execute();
    for (const { id, name, is_listed } of found) names.set(id, is_listed === 1 ? name : hiddenName);
  }
  return names;
}
