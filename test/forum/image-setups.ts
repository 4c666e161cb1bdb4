import { readdir } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import sharp from 'sharp';
import { uploadFolder } from '../../src/server/images/uploads/upload-folder.ts';
import { createBucket, noBucket } from '../bucket/bucket.ts';
import { type Engine, Forum } from './forum.ts';

/** A database engine, and disk or a bucket as the image store. */
interface ImageSetup {
  title: string;
  engine: Engine;
  /** Settings of a new forum with this engine and image store. */
  env: () => Promise<Record<string, string>>;
}

/** Each engine and each image store once, because neither depends on the other. */
export const imageSetups: ImageSetup[] = [
  { title: 'sqlite and disk', engine: 'sqlite', env: async () => ({}) },
  noBucket
    ? { title: 'postgres and disk', engine: 'postgres', env: async () => ({}) }
    : { title: 'postgres and a bucket', engine: 'postgres', env: createBucket },
];

/** Defines tests on SQLite with images on disk, for what depends on neither. */
export function onDisk(
  title: string,
  define: (forum: () => Forum, wait: (ms: number) => void) => void,
  env: Record<string, string> = {},
): void {
  describe(title, () => {
    let forum: Forum;
    let aheadMs = 0;
    before(async () => {
      forum = await Forum.start('sqlite', env, { now: () => Date.now() + aheadMs });
    });
    after(() => forum?.stop());
    define(
      () => forum,
      (ms) => {
        aheadMs += ms;
      },
    );
  });
}

/** A small image, different for each colour. */
export const colouredImage = (background: string) =>
  sharp({ create: { width: 50, height: 20, channels: 3, background } });

/** Keys of all objects in the forum's image store. */
export async function storedObjectKeys({ services }: Forum): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of services.images.list()) keys.push(key);
  return keys.sort();
}

/** Names of the files of unfinished uploads. */
export async function unfinishedUploads({ services: { config } }: Forum): Promise<string[]> {
  return (await readdir(uploadFolder(config)).catch(() => [])).sort();
}
