import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/tables.ts';

/**
 * Keys the hashes of guests' addresses in reports. It is excluded from backups, so that addresses cannot be guessed
 * from one.
 */
export async function reportSecret(db: Database): Promise<string> {
  const find = () =>
    db.selectFrom('report_secret').select('secret').where('id', '=', 1).executeTakeFirst();
  const known = await find();
  if (known) return known.secret;
  await db
    .insertInto('report_secret')
    .values({ id: 1, secret: randomBytes(16).toString('hex') })
    // The first of several processes wins.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  if (!made) throw new Error('there is no secret for reports');
  return made.secret;
}
