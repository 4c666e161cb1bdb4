import type { Database } from '../database/tables.ts';
import { findForms } from './words.ts';

/** Maximum number of indexed words of a name. */
const mostWords = 16;

/** Stores the words of accounts' names. Call it in the transaction that changes a name. */
export async function indexNames(
  trx: Database,
  accounts: { id: string; name: string }[],
): Promise<void> {
  if (accounts.length === 0) return;
  const ids = accounts.map(({ id }) => id);
  await trx.deleteFrom('account_names').where('account_id', 'in', ids).execute();
  const rows = accounts.flatMap(({ id, name }) =>
    wordsOf(name).map((word) => ({ word, account_id: id })),
  );
  if (rows.length > 0) await trx.insertInto('account_names').values(rows).execute();
}

function wordsOf(name: string): string[] {
  // Many keyboards have no ñ.
  const forms = findForms(name).flatMap(({ form, parts = [] }) => [form, ...parts]);
  const all = forms.flatMap((form) => [form, form.replaceAll('ñ', 'n')]);
  return [...new Set(all)].slice(0, mostWords);
}
