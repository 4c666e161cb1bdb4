import { readdir } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
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

/** Defines the same tests once for each setup. */
export function onEveryImageSetup(
  title: string,
  define: (forum: () => Forum) => void,
  env: Record<string, string> = {},
): void {
  for (const setup of imageSetups) {
    describe(`${title} (${setup.title})`, () => {
      let forum: Forum;
      before(async () => {
        forum = await Forum.start(setup.engine, { ...(await setup.env()), ...env });
      });
      after(() => forum?.stop());
      define(() => forum);
    });
  }
}

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
