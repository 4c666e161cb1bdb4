import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { FaultyBucket } from '../../../test/bucket/faulty-bucket.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { imageSetups, storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { StoredFile } from '../../shared/images.ts';
import { runHousekeeping } from '../operation/housekeeping/housekeeping.ts';
import { countStrays } from './count-strays.ts';
import { deletePending, insertOrphanedObjects, insertPending } from './object-rows.ts';
import { eraseUnused, sweepImages } from './sweep-images.ts';

const hourMs = 3_600_000;

for (const setup of imageSetups) {
  describe(`sweeping images (${setup.title})`, () => {
    /** Runs a test on a forum whose clock it can advance. */
    async function withForum(
      run: (forum: Forum, wait: (ms: number) => void) => Promise<void>,
      env: Record<string, string> = {},
    ) {
      let aheadMs = 0;
      const now = () => Date.now() + aheadMs;
      await using forum = await Forum.start(
        setup.engine,
        { ...(await setup.env()), ...env },
        { now },
      );
      const wait = (ms: number) => {
        aheadMs += ms;
      };
      await run(forum, wait);
    }
    const upload = async (forum: Forum, owner: Person, colour: string, use = 'cover') => {
      const bytes = await sharp({
        create: { width: 50, height: 20, channels: 3, background: colour },
      })
        .png()
        .toBuffer();
      const filename = `${colour}.png`;
      return (await (await forum.upload(owner, bytes, { filename, use })).json()) as StoredFile;
    };
    const isThere = async (forum: Forum, file: StoredFile) =>
      (await forum.call('GET', file.downloadURL)).status === 200;

    test('an erased or unknown image is rejected as cover, as avatar and at sign-up', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const swept = await upload(forum, owner, 'red');
        wait(25 * hourMs);
        assert.equal((await sweepImages(forum.services)).images, 1);
        const body = { name: 'Canal', description: 'Sin portada' };
        const account = { name: 'Eva', email: 'eva@ejemplo.es', password: 'una cualquiera' };
        for (const url of [swept.downloadURL, '/files/images/nunca.png']) {
          const { token } = owner;
          const answers = {
            cover: await forum.call('POST', apiRoutes.channels, {
              token,
              body: { ...body, cover: url },
            }),
            img: await forum.call('PUT', apiRoutes.updateImage, { token, body: { img: url } }),
          };
          const signUp = await forum.call('POST', apiRoutes.signUp, {
            body: { ...account, img: url },
          });
          for (const [field, answer] of [...Object.entries(answers), ['img', signUp] as const]) {
            const { errors } = await expectProblem(answer, 400, 'invalid_fields');
            assert.deepEqual(errors, [
              {
                field,
                message: 'Esta imagen ya no está o no la subiste para este uso. Súbela otra vez.',
              },
            ]);
          }
        }
        assert.equal((await forum.call('POST', apiRoutes.signUp, { body: account })).status, 201);
        const again = await upload(forum, owner, 'red');
        const answer = await forum.call('POST', apiRoutes.channels, {
          token: owner.token,
          body: { ...body, cover: again.downloadURL },
        });
        assert.equal(answer.status, 201);
      });
    });

    test('an unused image is erased with its objects after a day; a cover is not', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const unused = await upload(forum, owner, 'red');
        const cover = await upload(forum, owner, 'green');
        await forum.json('POST', apiRoutes.channels, {
          token: owner.token,
          body: { name: 'Canal', description: 'Con portada', cover: cover.downloadURL },
        });
        wait(23 * hourMs);
        assert.equal((await sweepImages(forum.services)).images, 0);
        wait(2 * hourMs);
        const { images, bytes } = await sweepImages(forum.services);
        assert.equal(images, 1);
        assert.ok(bytes > unused.size);
        assert.equal(await isThere(forum, unused), false);
        assert.equal(await isThere(forum, cover), true);
        const keys = await storedObjectKeys(forum);
        assert.equal(new Set(keys.map((key) => key.split('.')[0])).size, 1);
      });
    });

    test('unused images are looked for among 500 at a time, of an account or of all', async () => {
      await withForum(async (forum, wait) => {
        const { db, withTransaction, now } = forum.services;
        const [owner, other] = [await forum.person(), await forum.person()];
        const cover = (await upload(forum, owner, 'green')).downloadURL;
        await forum.json('POST', apiRoutes.channels, {
          token: owner.token,
          body: { name: 'Canal', description: 'Con portada', cover },
        });
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
    });

    test('an avatar is erased after it was replaced, not before', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const show = async (file: StoredFile) =>
          forum.json('PUT', apiRoutes.updateImage, {
            token: owner.token,
            body: { img: file.downloadURL },
          });
        const first = await upload(forum, owner, 'red', 'avatar');
        await show(first);
        wait(30 * 24 * hourMs);
        await sweepImages(forum.services);
        assert.equal(await isThere(forum, first), true);
        const second = await upload(forum, await forum.person(), 'blue', 'avatar');
        await forum.services.db
          .updateTable('accounts')
          .set({ img: second.downloadURL })
          .where('id', '=', owner.id)
          .execute();
        await sweepImages(forum.services);
        assert.equal(await isThere(forum, first), false);
        assert.equal(await isThere(forum, second), true);
      });
    });

    test('an image of a comment stays while the comment is shown, hidden or in the trash', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const { _id } = await forum.channel(owner);
        for (const colour of ['red', 'green', 'blue']) {
          const file = await upload(forum, owner, colour, 'comment');
          await forum.comment(owner, _id, colour, { images: [{ url: file.downloadURL, alt: '' }] });
        }
        await operate(forum, 'hide', commentId(_id, 2));
        const { db } = forum.services;
        await forum.json('DELETE', apiRoutes.channelComment(_id, 3), { token: owner.token });
        wait(25 * hourMs);
        assert.equal((await sweepImages(forum.services)).images, 0);
        const keys = await storedObjectKeys(forum);
        assert.equal(new Set(keys.map((key) => key.split('.')[0])).size, 3);
        await db
          .deleteFrom('comment_images')
          .where('channel_id', '=', _id)
          .where('number', '=', 3)
          .execute();
        assert.equal((await sweepImages(forum.services)).images, 1, 'one of an erased comment');
      });
    });

    test('uploading an image again keeps it for another day', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const again = await upload(forum, owner, 'red');
        wait(23 * hourMs);
        await upload(forum, owner, 'red');
        wait(2 * hourMs);
        assert.equal((await sweepImages(forum.services)).images, 0);
        assert.equal(await isThere(forum, again), true);
      });
    });

    test('objects of uploads that did not end are removed after a day, and two concurrent sweeps count each image once', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const { db, images, now } = forum.services;
        const rest = {
          image_id: randomUUID(),
          use: 'comment',
          largest_variant: 1000,
        } as const;
        await insertPending(db, rest, now());
        await images.write(`${rest.image_id}.500.webp`, Buffer.from('x'), 'image/webp');
        wait(23 * hourMs);
        assert.equal((await sweepImages(forum.services)).unfinished, 0);
        wait(2 * hourMs);
        await upload(forum, owner, 'red');
        assert.equal((await sweepImages(forum.services)).unfinished, 1);
        await assert.rejects(deletePending(db, rest.image_id), { code: 'unavailable' });
        wait(25 * hourMs);
        const [one, other] = await Promise.all([sweepImages(forum.services), sweepImages(forum.services)]);
        assert.equal(one.images + other.images, 1);
        assert.deepEqual(await storedObjectKeys(forum), []);
        assert.deepEqual(await rowsLeft(forum), []);
      });
    });

    test('an empty database, or that of another site, deletes none of the images beside it', async () => {
      await withForum(async (forum) => {
        const { services } = forum;
        await upload(forum, await forum.person(), 'red');
        const stray = `${randomUUID()}.full`;
        await services.images.write(stray, Buffer.from('x'), 'image/webp');
        const keys = await storedObjectKeys(forum);
        await using other = await Forum.start(setup.engine);
        const beside = { ...other.services, images: services.images, now: () => Date.now() + 50 * hourMs };
        const swept = { images: 0, bytes: 0, unfinished: 0, failures: [] };
        assert.deepEqual(await sweepImages(beside), swept);
        await upload(other, await other.person(), 'green');
        assert.equal((await sweepImages(beside)).images, 1);
        assert.deepEqual(await storedObjectKeys(forum), keys);
        assert.deepEqual((await countStrays(services.db, services.images)).examples, [stray]);
      });
    });

    test('the same image again keeps the objects that are there, and replaces lost ones', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const first = await upload(forum, owner, 'red');
        const keys = await storedObjectKeys(forum);
        wait(hourMs);
        assert.deepEqual((await upload(forum, owner, 'red')).fullPath, first.fullPath);
        assert.deepEqual(await sweepImages(forum.services), {
          ...{ images: 0, bytes: 0, unfinished: 0, failures: [] },
        });
        assert.deepEqual(await storedObjectKeys(forum), keys);
        await forum.services.images.remove(keys[0] ?? '');
        assert.deepEqual((await upload(forum, owner, 'red')).fullPath, first.fullPath);
        await sweepImages(forum.services);
        const repaired = await storedObjectKeys(forum);
        assert.equal(repaired.length, keys.length);
        assert.ok(!repaired.some((key) => keys.includes(key)));
        assert.equal(await isThere(forum, first), true);
        assert.deepEqual(await rowsLeft(forum), []);
      });
    });

    test('an upload beyond the account quota is rejected', async () => {
      await withForum(
        async (forum) => {
          const [owner, other] = [await forum.person(), await forum.person()];
          await upload(forum, owner, 'red', 'avatar');
          // Makes this image nearly use up the quota.
          const stored_bytes = 1024 * 1024 - 10;
          await forum.services.db.updateTable('images').set({ stored_bytes }).execute();
          const png = await sharp({
            create: { width: 50, height: 20, channels: 3, background: 'blue' },
          })
            .png()
            .toBuffer();
          const more = { filename: 'blue.png', use: 'avatar' };
          const refused = await forum.upload(owner, png, more);
          const { detail } = await expectProblem(refused, 413, 'quota_exceeded');
          assert.match(detail, /1\u00a0MB/);
          assert.equal((await forum.upload(other, png, more)).status, 200);
        },
        { ACCOUNT_QUOTA_MB: '1' },
      );
    });
  });
}

test('an image file that cannot be removed is reported, does not stop the removal of others, and is tried again', async () => {
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
  const { images, config, db } = forum.services;
  const rows = ['0', '5', '9'].map((start) => ({
    ...({
      image_id: `${start}${randomUUID()}`,
      use: 'comment',
      largest_variant: 500,
    } as const),
  }));
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
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  try {
    await using forum = await Forum.start(
      'sqlite',
      { LOG_LEVEL: 'silent', ...bucket.env },
      { now },
    );
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
    aheadMs = 25 * hourMs;
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
