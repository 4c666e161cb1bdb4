import { sql } from 'kysely';
import { erasedName } from '../../shared/erased-name.ts';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import type { FieldParser } from '../http/field-parser.ts';

/** Accounts per transaction, so that other writes can run in between. */
const batchSize = 500;

/** The form in which names are compared: without case and accents. Computed here, so that both engines agree. */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** A person's name. Nobody can take the name that erased accounts are shown with. */
export function parseName(fields: FieldParser, raw: string): string {
  const name = fields.text('name', raw, limits.userNameChars);
  if (nameKey(name) === nameKey(erasedName)) {
    fields.reject('name', 'Así se llaman las cuentas eliminadas. Elige otro nombre.');
  }
  return name;
}

/** Adds the key to accounts without one, which were made before the column existed. */
export async function addNameKeys({
  db,
  transact,
}: {
  db: Database;
  transact: Transact;
}): Promise<void> {
  for (;;) {
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'name'])
      .where('disabled_at_ms', 'is', null)
      .where('name_key', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    if (accounts.length === 0) return;
    const keys = accounts.map(({ id, name }) => sql`(${id}, ${nameKey(name)})`);
    await transact('name keys', (trx) =>
      sql`
        update accounts set name_key = keyed.column2
        from (values ${sql.join(keys)}) as keyed where accounts.id = keyed.column1
      `.execute(trx),
    );
  }
}
