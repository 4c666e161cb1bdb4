import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { createBucket, noBucket } from '../../../../test/bucket/bucket.ts';
import {
  createPostgresDatabase,
  type Engine,
  Forum,
  type Person,
} from '../../../../test/forum/forum.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { StoredFile } from '../../../shared/images.ts';
import type { ListSummary } from '../backups/manifest.ts';
import { verifyBackup } from '../backups/verify-backup.ts';

type Env = Record<string, string>;

async function run(command: string, env: Env, ...args: string[]): Promise<void> {
  const { code, said } = await runCommand(env, command, ...args);
  assert.equal(code, 0, said);
}

/**
 * Moves a stopped site as docs/operating.md describes, and compares all rows and images before and after.
 * @returns the lists whose checksums differ
 */
async function move(from: Env, to: Env, folder: string): Promise<string[]> {
  const [before, after] = ['before.tar', 'after.tar'].map((name) => path.join(folder, name));
  assert.ok(before && after);
  await run('backup', from, before);
  await run('backup', from, '--verify', before);
  await run('restore', to, before, '--keep-sessions');
  await run('backup', to, after);
  const [old, moved] = [await contentOf(before), await contentOf(after)];
  assert.deepEqual(countsOf(moved), countsOf(old));
  await rm(before);
  await rm(after);
  return Object.keys(old).filter((name) => !isDeepStrictEqual(old[name], moved[name]));
}

/** Counts and checksums of all lists in a backup. */
async function contentOf(file: string): Promise<Record<string, ListSummary | null>> {
  const { tables, pictures } = await verifyBackup(file);
  return { ...tables, pictures };
}

const countsOf = (content: Awaited<ReturnType<typeof contentOf>>) =>
  Object.entries(content).map(([name, list]) => [name, list?.count]);

async function withForum<T>(engine: Engine, env: Env, work: (forum: Forum) => Promise<T>) {
  await using forum = await Forum.start(engine, env);
  return await work(forum);
}

/** Uploads a cover and creates a channel with it. */
async function addChannel(forum: Forum, author: Person, width: number): Promise<Channel> {
  const uploaded = await forum.upload(author, await quarters(width, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  const body = { name: `Cine ${width}`, description: 'ñ 😀', cover };
  const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
    token: author.token,
    body,
  });
  await forum.comment(author, channel._id, `Comentario ${width}`);
  return channel;
}

/** The responses of a site for a channel: comments, profile and image. */
async function readSite(forum: Forum, author: Person, { _id, cover }: Channel) {
  const image = await forum.call('GET', `${cover}/500.webp`);
  assert.equal(image.status, 200);
  return {
    comments: await forum.json('GET', apiRoutes.channelComments(_id)),
    profile: await forum.json('GET', apiRoutes.me, { token: author.token }),
    image: Buffer.from(await image.arrayBuffer()).toString('base64'),
  };
}

test('a site moves from SQLite and disk to PostgreSQL and a bucket and back, with its sessions', {
  skip: noBucket,
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-move-'));
  const database = await createPostgresDatabase();
  const dataDir = (name: string) => ({ DATA_DIR: path.join(folder, name) });
  const disk = dataDir('disk');
  const remote = {
    ...dataDir('remote'),
    DATABASE_URL: database.url,
    ...(await createBucket()),
  };
  const diskAgain = dataDir('disk again');
  try {
    const { author, channel, expected } = await withForum('sqlite', disk, async (forum) => {
      const author = await forum.person();
      const channel = await addChannel(forum, author, 1000);
      const { token } = await forum.person();
      const body = { id: channel._id, comment: 'Da un aviso', replyTo: 1 };
      await forum.json('PUT', apiRoutes.comment, { token, body });
      return { author, channel, expected: await readSite(forum, author, channel) };
    });

    const differing = await move(disk, remote, folder);
    // No mail is sent again about existing notifications.
    assert.deepEqual(differing.sort(), ['accounts', 'site']);
    await withForum('postgres', remote, async (forum) => {
      assert.deepEqual(await readSite(forum, author, channel), expected);
    });

    assert.deepEqual(await move(remote, diskAgain, folder), ['site']);
    await withForum('sqlite', diskAgain, async (forum) => {
      assert.deepEqual(await readSite(forum, author, channel), expected);
    });
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
