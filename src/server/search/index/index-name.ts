import type { Database } from '../../database/tables.ts';
import { findForms } from './words.ts';

/** Words of a name by which its account is found. */
const mostWords = 16;

/** Stores the words of an account's name. Call it in the transaction that changes the name. */
export async function indexName(trx: Database, accountId: string, name: string): Promise<void> {
  await trx.deleteFrom('account_names').where('account_id', '=', accountId).execute();
  // Many keyboards have no ñ.
  const forms = findForms(name).flatMap(({ form }) => [form, form.replaceAll('ñ', 'n')]);
  const words = [...new Set(forms)].slice(0, mostWords);
  if (words.length === 0) return;
  const rows = words.map((word) => ({ word, account_id: accountId }));
  await trx.insertInto('account_names').values(rows).execute();
}
