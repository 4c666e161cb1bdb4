import { randomBytes } from 'node:crypto';
import type { Database } from './tables.ts';

/**
 * Names the site's present history: 16 hex digits. A restore removes it and the next start makes
 * another, so that what a reader has seen of the former history is not taken for a part of this one.
 */
export async function siteGeneration(db: Database): Promise<string> {
  const known = await findGeneration(db);
  if (known) return known;
  await db
    .insertInto('site')
    .values({ id: 1, generation: randomBytes(8).toString('hex') })
    // Another process was first.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await findGeneration(db);
  if (!made) throw new Error('the site has no generation');
  return made;
}

async function findGeneration(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('site')
    .select('generation')
    .where('id', '=', 1)
    .executeTakeFirst();
  return row?.generation;
}
