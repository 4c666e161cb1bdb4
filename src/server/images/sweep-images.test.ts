import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { FaultyBucket } from '../../../test/bucket/faulty-bucket.ts';
import { Forum, type Person } from '../../../test/forum/forum.ts';
import { colouredImage, imageSetups, storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { hideContent } from '../../../test/forum/moderators.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { StoredFile } from '../../shared/images.ts';
import { runHousekeeping } from '../operation/housekeeping/housekeeping.ts';
import { countStrays } from './count-strays.ts';
import { deleteUnconfirmed, insertOrphanedObjects, insertUnconfirmed } from './object-rows.ts';
import { eraseUnused, sweepImages } from './sweep-images.ts';

const hourMs = 3_600_000;
const nothing = { images: 0, bytes: 0, unfinished: 0, failures: [] };

async function upload(forum: Forum, owner: Person, colour: string, use = 'cover') {
  const bytes = await colouredImage(colour).png().toBuffer();
  const response = await forum.upload(owner, bytes, { filename: `${colour}.png`, use });
  return (await response.json()) as StoredFile;
}

const isThere = async (forum: Forum, file: StoredFile) =>
  (await forum.call('GET', file.downloadURL)).status === 200;

/** Number of images with an object in the store. */
const countStored = async (forum: Forum) =>
  new Set((await storedObjectKeys(forum)).map((key) => key.split('.')[0])).size;

/** A forum whose clock can be advanced. */
async function startForum(engine: 'sqlite' | 'postgres' = 'sqlite', env = {}) {
  let aheadMs = 0;
  const forum = await Forum.start(engine, env, { now: () => Date.now() + aheadMs });
  const wait = (ms: number) => {
    aheadMs += ms;
  };
  return { forum, wait, [Symbol.asyncDispose]: () => forum.stop() };
}

for (const { title, engine, env } of imageSetups) {
  test(`unused images and uploads that did not end go with their objects after a day, once for two concurrent sweeps (${title})`, async () => {
    await using started = await startForum(engine, await env());
    const { forum, wait } = started;
    const owner = await forum.person();
    const { db, images, now } = forum.services;
    const unused = await upload(forum, owner, 'red');
    const cover = (await upload(forum, owner, 'green')).downloadURL;
    const body = { name: 'Canal', description: 'Con portada', cover };
    await forum.json('POST', apiRoutes.channels, { token: owner.token, body });
    const pending = { image_id: randomUUID(), use: 'comment', largest_variant: 1000 } as const;
    await insertUnconfirmed(db, pending, now());
    await images.write(`${pending.image_id}.500.webp`, Buffer.from('x'), 'image/webp');

    wait(23 * hourMs);
    assert.deepEqual(await sweepImages(forum.services), nothing);
    wait(2 * hourMs);
    const [one, other] = await Promise.all([
      sweepImages(forum.services),
      sweepImages(forum.services),
    ]);
    assert.equal(one.images + other.images, 1);
    assert.equal(one.unfinished + other.unfinished, 1);
    assert.ok(one.bytes + other.bytes > unused.size);
    assert.equal(await isThere(forum, unused), false);
    assert.equal((await forum.call('GET', cover)).status, 200);
    assert.equal(await countStored(forum), 1);
    assert.deepEqual(await rowsLeft(forum), []);
    // The upload can no longer become an image, since its objects are removed.
    await assert.rejects(deleteUnconfirmed(db, pending.image_id), { code: 'unavailable' });
  });
}

test('unused images are looked for among 500 at a time, of an account or of all', async () => {
  await using started = await startForum();
  const { forum, wait } = started;
  const { db, withTransaction, now } = forum.services;
  const [owner, other] = [await forum.person(), await forum.person()];
  const cover = (await upload(forum, owner, 'green')).downloadURL;
  const body = { name: 'Canal', description: 'Con portada', cover };
  await forum.json('POST', apiRoutes.channels, { token: owner.token, body });
  const row = await db.selectFrom('images').selectAll().executeTakeFirstOrThrow();
  for (const [{ id }, count] of [
    [owner, 400],
    [other, 600],
  ] as const) {
    const copies = Array.from({ length: count }, (_, n) => {
      const name = `${id}-${n}`;
      const names = { full_path: name, path_key: name, url: name, image_id: randomUUID() };
      return { ...row, ...names, account_id: id };
    });
    await db.insertInto('images').values(copies).execute();
  }
  wait(25 * hourMs);
  let transactions = 0;
  const counted: typeof withTransaction = (...call) => {
    transactions++;
    return withTransaction(...call);
  };
  const erase = async (accountId?: string) =>
    (await eraseUnused({ db, withTransaction: counted }, now(), accountId)).length;
  assert.deepEqual([await erase(other.id), transactions], [600, 2]);
  assert.deepEqual([await erase(), transactions], [400, 3]);
  assert.equal((await db.selectFrom('images').select('url').executeTakeFirst())?.url, cover);
});

test('an image stays while an account shows it, and while its comment or channel, or a former version, is shown, hidden or in the trash', async () => {
  await using started = await startForum();
  const { forum, wait } = started;
  const { db } = forum.services;
  const owner = await forum.person();
  const { token } = owner;
  const face = await upload(forum, owner, 'white', 'avatar');
  await forum.json('PUT', apiRoutes.updateImage, { token, body: { img: face.downloadURL } });
  const [former, cover] = [await upload(forum, owner, 'cyan'), await upload(forum, owner, 'pink')];
  const { _id } = await forum.json<Channel>('POST', apiRoutes.channels, {
    token,
    body: { name: 'Canal', description: 'Con portada', cover: former.downloadURL },
  });
  const headers = { 'if-match': '"1"' };
  const covered = { token, headers, body: { cover: cover.downloadURL } };
  await forum.json('PATCH', apiRoutes.channel(_id), covered);
  for (const colour of ['red', 'green', 'blue', 'grey']) {
    const file = await upload(forum, owner, colour, 'comment');
    await forum.comment(owner, _id, colour, { images: [{ url: file.downloadURL, alt: '' }] });
  }
  await hideContent(forum, commentId(_id, 2));
  await forum.json('DELETE', apiRoutes.channelComment(_id, 3), { token });
  const without = { token, headers, body: { comment: 'sin imagen', images: [] } };
  await forum.json('PATCH', apiRoutes.channelComment(_id, 4), without);
  wait(25 * hourMs);
  assert.deepEqual(await sweepImages(forum.services), nothing);
  assert.equal(await countStored(forum), 7);
  // The comment in the trash is erased, and the avatar is replaced.
  const images = db.deleteFrom('comment_images').where('channel_id', '=', _id);
  await images.where('number', '=', 3).execute();
  const next = await upload(forum, owner, 'black', 'avatar');
  await forum.json('PUT', apiRoutes.updateImage, { token, body: { img: next.downloadURL } });
  assert.equal((await sweepImages(forum.services)).images, 2);
  assert.deepEqual([await isThere(forum, face), await isThere(forum, next)], [false, true]);
  assert.equal(await countStored(forum), 6);
});

test('the same image again stays for another day, keeps the objects that are there, and replaces lost ones', async () => {
  await using started = await startForum();
  const { forum, wait } = started;
  const owner = await forum.person();
  const first = await upload(forum, owner, 'red');
  const keys = await storedObjectKeys(forum);
  wait(23 * hourMs);
  assert.equal((await upload(forum, owner, 'red')).fullPath, first.fullPath);
  wait(2 * hourMs);
  assert.deepEqual(await sweepImages(forum.services), nothing);
  assert.deepEqual(await storedObjectKeys(forum), keys);
  await forum.services.images.remove(keys[0] ?? '');
  assert.equal((await upload(forum, owner, 'red')).fullPath, first.fullPath);
  await sweepImages(forum.services);
  const repaired = await storedObjectKeys(forum);
  assert.equal(repaired.length, keys.length);
  assert.ok(!repaired.some((key) => keys.includes(key)));
  assert.equal(await isThere(forum, first), true);
  assert.deepEqual(await rowsLeft(forum), []);
});

test('an empty database, or that of another site, deletes none of the images beside it', async () => {
  await using forum = await Forum.start('sqlite');
  const { images } = forum.services;
  await upload(forum, await forum.person(), 'red');
  const stray = `${randomUUID()}.full`;
  await images.write(stray, Buffer.from('x'), 'image/webp');
  const keys = await storedObjectKeys(forum);
  await using other = await Forum.start('sqlite');
  const beside = { ...other.services, images, now: () => Date.now() + 50 * hourMs };
  assert.deepEqual(await sweepImages(beside), nothing);
  await upload(other, await other.person(), 'green');
  assert.equal((await sweepImages(beside)).images, 1);
  assert.deepEqual(await storedObjectKeys(forum), keys);
  assert.deepEqual((await countStrays(forum.services.db, images)).examples, [stray]);
});

test('an image file that cannot be removed is reported, does not stop the removal of others, and is tried again', async () => {
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
  const { images, config, db } = forum.services;
  const rows = ['0', '5', '9'].map(
    (start) =>
      ({ image_id: `${start}${randomUUID()}`, use: 'comment', largest_variant: 500 }) as const,
  );
  await insertOrphanedObjects(db, rows);
  const keys = rows.map(({ image_id }) => `${image_id}.500.webp`);
  // Folders with the same names cannot be removed as files.
  const broken = keys.slice(0, 2);
  for (const key of broken)
    await mkdir(path.join(config.dataDir, 'images', key), { recursive: true });
  await images.write(keys[2] ?? '', Buffer.from('x'), 'image/webp');
  await runHousekeeping(forum.services, forum.app.log);
  assert.deepEqual(await storedObjectKeys(forum), broken);
  const { failures } = await sweepImages(forum.services);
  assert.equal(failures.length, 2);
  for (const key of broken) await rmdir(path.join(config.dataDir, 'images', key));
  assert.deepEqual((await sweepImages(forum.services)).failures, []);
  assert.deepEqual(await rowsLeft(forum), []);
});

test('an upload to a bucket that fails half-way has no row of an image, and leaves nothing after a day', async () => {
  const bucket = await FaultyBucket.start();
  try {
    await using started = await startForum('sqlite', { LOG_LEVEL: 'silent', ...bucket.env });
    const { forum, wait } = started;
    const owner = await forum.person();
    const png = await quarters(1000, 400).png().toBuffer();
    let writes = 0;
    bucket.onRequest = (action) => {
      if (!action.startsWith('PUT images/')) return;
      bucket.behaviour = ++writes > 2 ? 'error' : 'normal';
    };
    assert.equal((await forum.upload(owner, png)).status, 503);
    const keys = () => [...bucket.objects.keys()].filter((key) => key.startsWith('images/'));
    assert.equal(keys().length, 2);
    assert.equal((await rowsLeft(forum)).length, 1);
    wait(25 * hourMs);
    assert.equal((await sweepImages(forum.services)).failures.length, 1);
    bucket.onRequest = undefined;
    bucket.behaviour = 'normal';
    assert.deepEqual((await sweepImages(forum.services)).failures, []);
    assert.deepEqual(keys(), []);
    assert.deepEqual(await rowsLeft(forum), []);
    assert.equal((await forum.upload(owner, png)).status, 200);
  } finally {
    bucket.stop();
  }
});

/** The rows of objects that are not yet stored or not yet completely removed. */
async function rowsLeft({ services: { db } }: Forum) {
  const pending = db.selectFrom('unconfirmed_objects').select('image_id');
  return pending.unionAll(db.selectFrom('orphaned_objects').select('image_id')).execute();
}
