import { randomBytes } from 'node:crypto';
import type { Database } from './tables.ts';

/** Distinguishes this site's daily backups from other sites' (operation/backups/backup-folder.ts). */
export async function siteIdentity(db: Database): Promise<string> {
  const site = db.selectFrom('site').select('identity').where('id', '=', 1);
  return (await site.executeTakeFirstOrThrow()).identity;
}

/**
 * Identifies the site's current history: 16 hex digits, created when missing. A restore deletes it,
 * so the next start creates another, and cursors issued before the restore are recognised as stale.
 */
export async function siteEpoch(db: Database): Promise<string> {
  const known = await findEpoch(db);
  if (known) return known;
  await markRestored(db);
  await db
    .updateTable('site')
    .set({ epoch: randomBytes(8).toString('hex') })
    .where('id', '=', 1)
    // Another process may set it at the same time.
    .where('epoch', 'is', null)
    .execute();
  const made = await findEpoch(db);
  if (!made) throw new Error('the site has no epoch');
  return made;
}

/**
 * Records that the site was restored (it has accounts but no epoch), with a row in `image_names` that no image matches:
 * images may have been given names after the backup, which are not recorded.
 */
async function markRestored(db: Database): Promise<void> {
  const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  if (!account) return;
  await db
    .insertInto('image_names')
    .values({ name_hash: '', content_hash: '', epoch: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns undefined until the first start with this database, and after a restore */
export async function findEpoch(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('site').select('epoch').where('id', '=', 1).executeTakeFirst();
  return row?.epoch ?? undefined;
}
