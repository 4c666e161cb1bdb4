import { randomBytes } from 'node:crypto';
import type { Database } from './tables.ts';

/**
 * Names the site's present history: 16 hex digits. A restore removes it and the next start makes
 * another, so that what a reader has seen of the former history is not taken for a part of this one.
 */
export async function siteGeneration(db: Database): Promise<string> {
  const known = await findGeneration(db);
  if (known) return known;
  await noteFormerHistory(db);
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

/**
 * Who has accounts and no generation was restored, or is older than generations: its images may have
 * had names that no row tells of. Noted as a name of a former history, which no image can have.
 */
async function noteFormerHistory(db: Database): Promise<void> {
  const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  if (!account) return;
  await db
    .insertInto('image_names')
    .values({ name_hash: '', content_hash: '', generation: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function findGeneration(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('site')
    .select('generation')
    .where('id', '=', 1)
    .executeTakeFirst();
  return row?.generation;
}
