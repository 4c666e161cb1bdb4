import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { imageSetups, storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { StoredFile } from '../../shared/images.ts';
import { findFailedTasks } from '../failed-tasks.ts';
import { runHousekeeping } from '../operations/housekeeping.ts';
import { sweepImages } from './sweep-images.ts';

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
        assert.equal((await sweepImages(forum.deps)).images, 1);
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
        assert.equal((await sweepImages(forum.deps)).images, 0);
        wait(2 * hourMs);
        const { images, bytes } = await sweepImages(forum.deps);
        assert.equal(images, 1);
        assert.ok(bytes > unused.size);
        assert.equal(await isThere(forum, unused), false);
        assert.equal(await isThere(forum, cover), true);
        const keys = await storedObjectKeys(forum);
        assert.equal(new Set(keys.map((key) => key.split('.')[0])).size, 1);
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
        await sweepImages(forum.deps);
        assert.equal(await isThere(forum, first), true);
        const second = await upload(forum, await forum.person(), 'blue', 'avatar');
        await forum.deps.db
          .updateTable('accounts')
          .set({ img: second.downloadURL })
          .where('id', '=', owner.id)
          .execute();
        await sweepImages(forum.deps);
        assert.equal(await isThere(forum, first), false);
        assert.equal(await isThere(forum, second), true);
      });
    });

    test('an image of a comment stays while the comment is shown, hidden or in the bin', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const { _id } = await forum.channel(owner);
        for (const colour of ['red', 'green', 'blue']) {
          const file = await upload(forum, owner, colour, 'comment');
          await forum.comment(owner, _id, colour, { images: [{ url: file.downloadURL, alt: '' }] });
        }
        await operate(forum, 'hide', commentId(_id, 2));
        const { db } = forum.deps;
        await forum.json('DELETE', apiRoutes.channelComment(_id, 3), { token: owner.token });
        wait(25 * hourMs);
        assert.equal((await sweepImages(forum.deps)).images, 0);
        const keys = await storedObjectKeys(forum);
        assert.equal(new Set(keys.map((key) => key.split('.')[0])).size, 3);
        await db
          .deleteFrom('comment_images')
          .where('channel_id', '=', _id)
          .where('number', '=', 3)
          .execute();
        assert.equal((await sweepImages(forum.deps)).images, 1, 'one of an erased comment');
      });
    });

    test('uploading an image again keeps it for another day', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const again = await upload(forum, owner, 'red');
        wait(23 * hourMs);
        await upload(forum, owner, 'red');
        wait(2 * hourMs);
        assert.equal((await sweepImages(forum.deps)).images, 0);
        assert.equal(await isThere(forum, again), true);
      });
    });

    test('objects without a row are removed after a day, and two concurrent sweeps count each image once', async () => {
      await withForum(async (forum, wait) => {
        const owner = await forum.person();
        const stray = `${crypto.randomUUID()}.500.webp`;
        await forum.deps.images.write(stray, Buffer.from('x'), 'image/webp');
        assert.equal((await sweepImages(forum.deps)).strays, 0);
        wait(25 * hourMs);
        await upload(forum, owner, 'red');
        assert.equal((await sweepImages(forum.deps)).strays, 1);
        wait(25 * hourMs);
        const [one, other] = await Promise.all([sweepImages(forum.deps), sweepImages(forum.deps)]);
        assert.equal(one.images + other.images, 1);
        assert.deepEqual(await storedObjectKeys(forum), []);
      });
    });

    test('an upload beyond the account quota is rejected', async () => {
      await withForum(
        async (forum) => {
          const [owner, other] = [await forum.person(), await forum.person()];
          await upload(forum, owner, 'red', 'avatar');
          // As if this image nearly used up the quota.
          const stored_bytes = 1024 * 1024 - 10;
          await forum.deps.db.updateTable('images').set({ stored_bytes }).execute();
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

test('an image file that cannot be removed is reported and does not stop the removal of others', async () => {
  const now = () => Date.now() + 25 * hourMs;
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' }, { now });
  await forum.person();
  const { images, config } = forum.deps;
  const keys = ['0', '5', '9'].map((start) => `${start}${crypto.randomUUID()}.500.webp`);
  for (const key of keys) await images.write(key, Buffer.from('x'), 'image/webp');
  // Folders of the same names cannot be removed as files.
  const broken = keys.slice(0, 2);
  for (const key of broken) {
    await images.remove(key);
    await mkdir(path.join(config.dataDir, 'images', key));
  }
  await runHousekeeping(forum.deps, forum.app.log);
  assert.deepEqual(await storedObjectKeys(forum), broken);
  const { strays, failures } = await sweepImages(forum.deps);
  assert.deepEqual([strays, failures.length], [0, 2]);
  const failed = await findFailedTasks(config.dataDir, Date.now());
  assert.deepEqual(
    failed.map(({ name }) => name),
    ['housekeeping'],
  );
});
