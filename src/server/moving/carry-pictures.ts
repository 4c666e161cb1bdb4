import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Database } from '../database/tables.ts';
import { findPictureIds } from '../images/image-queries.ts';
import type { ImageStore } from '../images/image-store.ts';
import { pictureIdOf } from '../images/storage-keys.ts';
import type { Differences } from './differences.ts';
import { MoveRefused } from './move-refused.ts';
import {
  findBytes,
  findPublicSum,
  findSum,
  objectsOf,
  type PictureObject,
  readPicturePages,
  sumOf,
} from './picture-objects.ts';

/** Objects on their way at once; each may be some megabytes. */
const atOnce = 6;
const keysAtOnce = 200;

interface Stores {
  /** The source's database, which knows all pictures. */
  db: Database;
  source: ImageStore;
  target: ImageStore;
}

/**
 * A store whose pictures are all unknown to the source is another community's, whose sweeps would
 * take these pictures away, as this one's would take those.
 * @throws MoveRefused
 */
export async function requireOwnPictures({ db, target }: Stores): Promise<void> {
  let stranger: string | undefined;
  let keys: string[] = [];
  const anyKnown = async () => {
    const ids = new Set(keys.map(pictureIdOf));
    keys = [];
    const known = await findPictureIds(db, [...ids]);
    stranger ??= [...ids].find((id) => !known.has(id));
    return known.size > 0;
  };
  for await (const { key } of target.list()) {
    // Other files are nobody's pictures.
    if (/^[\da-f-]{36}\./.test(key)) keys.push(key);
    if (keys.length >= keysAtOnce && (await anyKnown())) return;
  }
  if ((await anyKnown()) || stranger === undefined) return;
  throw new MoveRefused(
    `The target holds pictures, and none of them is the source's (${stranger}): they are another community's.`,
  );
}

/**
 * Sends every form of every picture that is not at the target yet, then fetches it from there, at
 * its public address where it has one, and compares. What differs after that is named.
 * @param check sends nothing
 */
export async function carryPictures(
  stores: Stores,
  check: boolean,
  differences: Differences,
  say: (line: string) => void,
): Promise<void> {
  const limit = pLimit(atOnce);
  const done = { pictures: 0, objects: 0, sent: 0 };
  const { total } = await stores.db
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  try {
    for await (const page of readPicturePages(stores.db)) {
      const objects = page.flatMap(objectsOf);
      const outcomes = await limit.map(objects, (object) => carryObject(stores, object, check));
      for (const [i, { sent, difference }] of outcomes.entries()) {
        if (sent) done.sent++;
        if (difference) differences.add(`${objects[i]?.name}: ${difference}`);
      }
      done.pictures += page.length;
      done.objects += objects.length;
      say(`pictures: ${done.pictures} of ${total} compared, ${done.sent} files sent`);
    }
  } finally {
    limit.clearQueue();
  }
  say(`pictures: ${done.pictures} in ${done.objects} files fetched and compared`);
}

interface Outcome {
  sent?: boolean;
  difference?: string | undefined;
}

async function carryObject(
  stores: Stores,
  object: PictureObject,
  check: boolean,
): Promise<Outcome> {
  const { db, source, target } = stores;
  const { key, pictureId } = object;
  const bytes = await findBytes(source, key);
  if (!bytes) {
    // A running server may have swept it away since the page was read.
    const known = await findPictureIds(db, [pictureId]);
    return known.has(pictureId) ? { difference: 'missing at the source' } : {};
  }
  if (object.md5 && createHash('md5').update(bytes).digest('base64') !== object.md5) {
    // Not sent: a whole one may be at the target already.
    return { difference: 'damaged at the source: not the picture that the database knows' };
  }
  const sum = await sumOf([bytes]);
  let found = await findSum(target, key);
  const sent = found !== sum && !check;
  if (sent) {
    await target.write(key, bytes, object.contentType);
    found = await findSum(target, key);
  }
  if (found !== sum) return { sent, difference: told(found, 'the target') };
  const publicUrl = target.publicUrl(key);
  if (!publicUrl) return { sent };
  found = await findPublicSum(publicUrl);
  return found === sum ? { sent } : { sent, difference: told(found, publicUrl) };
}

function told(found: string | undefined, where: string): string {
  return found === undefined ? `missing at ${where}` : `different at ${where}`;
}
