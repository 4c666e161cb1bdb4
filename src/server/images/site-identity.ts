import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { describeDatabase, describeImageStore } from '../config/describe-stores.ts';
import { openToRead } from '../database/database.ts';
import { classifyStorageError, UnfitDatabase } from '../database/errors.ts';
import { hasTable } from '../database/has-table.ts';
import type { Database } from '../database/tables.ts';
import { codeOf } from '../error-code.ts';
import { unlessMissing } from '../missing.ts';
import type { Print } from '../operator-error.ts';
import { userName } from '../user-name.ts';
import { StoreUnavailable } from './stores/errors.ts';
import type { ImageStore } from './stores/image-store.ts';
import { fullVariant, identityKey, imageIdOf, objectKey } from './stores/storage-keys.ts';

/** Number of images looked up in a store without an identity. */
const samples = 20;

export interface Site {
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 's3'>;
  db: Database;
  images: ImageStore;
}

/** The database and the image store of the settings are of different sites. */
export class OtherSite extends UnfitDatabase {
  constructor(config: Site['config'], problem: string, wayOut: string) {
    const stores = `${describeDatabase(config)}, and ${problem} ${describeImageStore(config)}`;
    super(
      `The settings name ${stores}. If these are not the site's, name its settings: --env-file FILE, TERTULIA_ENV_FILE, DATABASE_URL, DATA_DIR or the S3_* settings. ${wayOut}`,
    );
  }
}

/**
 * Compares the identity of the site in the database with the one in the image store, without writing:
 * the sweep would erase the images of a site whose rows are in another database.
 * @param site `db` is undefined when there is no SQLite file
 * @returns whether both have the same; false where one has none, and the images fit
 * @throws OtherSite, StoreUnavailable
 */
export async function requireSameSite(site: Omit<Site, 'db'> & { db: Database | undefined }) {
  const { config, db, images } = site;
  const stored = await readIdentity(images);
  const hasImages = await isStocked(images);
  // Read the database after the store, since another starting process writes the database first.
  const isEmpty = !(db && (await hasAccounts(db)));
  if (isEmpty && hasImages) {
    const problem = 'it has no accounts, although there are images in';
    const wayOut =
      'If the database was lost, restore a backup: a whole one into empty places, or rows alone (before-….tar) beside these images (tertulia restore). To move the site to this database, restore a backup with a new DATA_DIR or an empty bucket. A new site needs an empty image store.';
    throw new OtherSite(config, problem, wayOut);
  }
  const isIdentifiable = db && (await hasTable(db, 'site_identity'));
  const known = isIdentifiable ? await findIdentity(db) : undefined;
  // The sweep of this database would remove the later images of that site.
  if (isEmpty && stored && !known) {
    const problem = 'it has no accounts, although there is the identity of a site in';
    const wayOut =
      'To move that site to this database, make a backup with its former settings and restore it with these (tertulia backup, tertulia restore). A new site needs an image store of its own; if no site uses this one, remove images/site-identity from it.';
    throw new OtherSite(config, problem, wayOut);
  }
  // A start compares again after the migrations.
  if (!isIdentifiable) return false;
  if (known !== undefined && known === stored) return true;
  const adopt =
    'If the images belong to it all the same, run tertulia admin adopt-images: images without a row are then deleted.';
  if (known && stored) throw new OtherSite(config, 'it is not of the same site as', adopt);
  const ids = await sampleImageIds(db);
  if (!hasImages && ids.length === 0) return false;
  for (const id of ids) if (await has(images, objectKey(id, fullVariant))) return false;
  const problem = hasImages
    ? 'none of the images that it refers to are in'
    : 'it refers to images, although there are none in';
  throw new OtherSite(config, problem, adopt);
}

/**
 * Gives the same identity to the database and the image store where one has none.
 * @throws as `requireSameSite`
 */
export async function writeMissingIdentity(site: Site): Promise<void> {
  if (!(await requireSameSite(site))) await adoptImages(site);
}

/** Makes the images belong to the site in the database, also when they belonged to another site. */
export async function adoptImages({ db, images }: Omit<Site, 'config'>): Promise<void> {
  // An identity without images may come from another new site.
  const stored = (await isStocked(images)) ? await readIdentity(images) : undefined;
  await db
    .insertInto('site_identity')
    .values({ id: 1, identity: stored ?? newIdentity() })
    // The first of several processes decides. Not every bucket has conditional writes.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await findIdentity(db);
  if (!known) throw new Error('the site has no identity');
  if (known !== stored) await writeIdentity(images, known);
}

/**
 * Compares both before a start changes anything.
 * @returns whether `completeIdentity` is to be called after the migrations; false also when the store or the disk
 * fails, which is printed and does not prevent the start: each sweep compares them again
 * @throws OtherSite; UnfitDatabase when this user may not read or write the images
 */
export async function lacksIdentity(
  { config, images }: Omit<Site, 'db'>,
  print: Print,
): Promise<boolean> {
  const db = openToRead(config);
  try {
    return !(await requireSameSite({ config, db, images }));
  } catch (error) {
    printFailure(error, print);
    return false;
  } finally {
    await db?.destroy();
  }
}

/** As `writeMissingIdentity`, but a failing store or disk is printed. @throws as `lacksIdentity` */
export async function completeIdentity(site: Site, print: Print): Promise<void> {
  await writeMissingIdentity(site).catch((error) => printFailure(error, print));
}

/** Gives a new identity to the rows of a restored site, in the restore's transaction. @returns the identity */
export async function makeNewIdentity(trx: Database): Promise<string> {
  const identity = newIdentity();
  await trx.insertInto('site_identity').values({ id: 1, identity }).execute();
  return identity;
}

/**
 * Keeps the former identity of rows that were restored without images, if it is that of the image store.
 * Otherwise the next start compares the images. Call it in the restore's transaction.
 */
export async function keepFormerIdentity(
  trx: Database,
  images: ImageStore,
  former: unknown,
): Promise<void> {
  const stored = await readIdentity(images);
  if (stored === undefined || stored !== former) return;
  await trx.insertInto('site_identity').values({ id: 1, identity: stored }).execute();
}

/** Prints that the disk or the store fails. @throws any other error; UnfitDatabase for missing permissions */
function printFailure(error: unknown, print: Print): void {
  if (!(error instanceof Error)) throw error;
  if (codeOf(error) === 'EACCES') {
    throw new UnfitDatabase(
      `The images may not be read or written by the user ${userName()}: ${error.message}. Give them to that user with chown.`,
      { cause: error },
    );
  }
  const isStore = error instanceof StoreUnavailable;
  if (!isStore && !classifyStorageError(error)) throw error;
  const reason = isStore ? error.advice : error.message;
  print(`Whether the images belong to the database is not known yet. ${reason}`);
}

function newIdentity(): string {
  return randomBytes(16).toString('hex');
}

/** Secret, and not in backups. */
export async function findIdentity(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('site_identity')
    .select('identity')
    .where('id', '=', 1)
    .executeTakeFirst();
  return row?.identity;
}

async function readIdentity(images: ImageStore): Promise<string | undefined> {
  const bytes = await unlessMissing(images.readWhole(identityKey));
  return String(bytes ?? '').trim() || undefined;
}

/** Makes the images belong to the site with this identity. */
export async function writeIdentity(images: ImageStore, identity: string): Promise<void> {
  await images.write(identityKey, Buffer.from(`${identity}\n`), 'text/plain');
}

async function isStocked(images: ImageStore): Promise<boolean> {
  // Another process that starts now may be writing the identity to a temporary file.
  for await (const { key } of images.list()) if (imageIdOf(key) !== 'tmp') return true;
  return false;
}

async function has(images: ImageStore, key: string): Promise<boolean> {
  return (await unlessMissing(images.size(key))) !== undefined;
}

async function hasAccounts(db: Database): Promise<boolean> {
  if (!(await hasTable(db, 'accounts'))) return false;
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Reads the first ids: they are random, so the images are of any age. */
async function sampleImageIds(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('images')
    .select('picture_id')
    .orderBy('picture_id')
    .limit(samples)
    .execute();
  return rows.map((row) => row.picture_id);
}
