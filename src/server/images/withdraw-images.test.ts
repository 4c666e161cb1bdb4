import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { createBucket, noBucket } from '../../../test/bucket/bucket.ts';
import { countTurns } from '../../../test/count-turns.ts';
import { Forum, type Person } from '../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Bin } from '../../shared/bin.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { eraseExpired } from '../operations/erase-expired.ts';
import type { ImageRow } from './image-queries.ts';
import { sweepImages } from './sweep-images.ts';
import { withdrawImages } from './withdraw-images.ts';

const dayMs = 86_400_000;
const hidden = [404, 404, 404];
const sent = [200, 200, 200];

/** As `imageSetups`, with a bucket that anybody can read. */
const setups = [
  { title: 'sqlite and disk', engine: 'sqlite', env: async () => ({}) },
  {
    title: noBucket ? 'postgres and disk' : 'postgres and a public bucket',
    engine: 'postgres',
    env: async () => (noBucket ? {} : createBucket({ isPublic: true })),
  },
] as const;

for (const setup of setups) {
  describe(`images that visitors no longer see (${setup.title})`, () => {
    let aheadMs = 0;
    let forum: Forum;
    before(async () => {
      const now = () => Date.now() + aheadMs;
      forum = await Forum.start(setup.engine, await setup.env(), { now });
    });
    after(() => forum?.stop());

    // It counts all images, so it comes first.
    test('those of erased content are not sent, and the next sweep deletes them', async () => {
      const author = await forum.person();
      const { _id } = await forum.channel(author);
      const [moderated, binned, kept] = [
        await upload(forum, author),
        await upload(forum, author),
        await upload(forum, author),
      ];
      for (const url of [moderated, binned, kept, kept]) {
        await forum.comment(author, _id, 'uno', { images: [{ url, alt: '' }] });
      }
      const cover = await upload(forum, author, 'cover');
      const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
        token: author.token,
        body: { name: 'Canal', description: 'Con portada', cover },
      });
      const inside = await upload(forum, author);
      await forum.comment(author, channel._id, 'dos', { images: [{ url: inside, alt: '' }] });

      for (const id of [commentId(_id, 1), commentId(_id, 3), channel._id]) {
        await operate(forum, 'delete', id);
      }
      for (const url of [moderated, cover, inside]) {
        assert.deepEqual(await statuses(forum, url), hidden);
      }
      assert.equal((await sweepImages(forum.deps)).images, 3, 'without waiting for a day');
      await forum.call('DELETE', apiRoutes.channelComment(_id, 2), { token: author.token });
      aheadMs += 31 * dayMs;
      await eraseExpired(forum.deps);
      assert.deepEqual(await statuses(forum, binned), hidden);
      assert.deepEqual(await statuses(forum, kept), sent);
      await sweepImages(forum.deps);
      const ids = new Set((await storedObjectKeys(forum)).map((key) => key.split('.')[0]));
      assert.equal(ids.size, 1);
    });

    test('those of hidden and deleted comments are not sent until they are visible again', async () => {
      const author = await forum.person();
      const { _id } = await forum.channel(author);
      const first = await upload(forum, author);
      await forum.comment(author, _id, 'uno', { images: [{ url: first, alt: '' }] });
      const id = commentId(_id, 1);
      await operate(forum, 'hide', id);
      assert.deepEqual(await statuses(forum, first), hidden);
      await operate(forum, 'show', id);
      assert.deepEqual(await statuses(forum, first), sent);
      await forum.comment(author, _id, 'otra vez', { images: [{ url: first, alt: '' }] });
      await operate(forum, 'hide', id);
      assert.deepEqual(await statuses(forum, first), sent, 'another comment has it');

      const token = { token: author.token };
      await forum.call('DELETE', apiRoutes.channelComment(_id, 2), token);
      assert.deepEqual(await statuses(forum, first), hidden);
      await forum.json('POST', apiRoutes.restoreComment(_id, 2), token);
      assert.deepEqual(await statuses(forum, first), sent);
    });

    test('those of a deleted channel and of its comments, and a former cover, are not sent', async () => {
      const author = await forum.person();
      const [former, cover] = [
        await upload(forum, author, 'cover'),
        await upload(forum, author, 'cover'),
      ];
      const image = await upload(forum, author);
      assert.deepEqual(await statuses(forum, cover), sent, 'nothing has it yet');
      const token = { token: author.token };
      const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
        ...token,
        body: { name: 'Canal', description: 'Con portada', cover: former },
      });
      await forum.comment(author, channel._id, 'uno', { images: [{ url: image, alt: '' }] });
      await forum.json('PATCH', apiRoutes.channel(channel._id), {
        ...token,
        body: { cover },
        headers: { 'if-match': '"1"' },
      });
      assert.deepEqual(await statuses(forum, former), hidden);
      await forum.call('DELETE', apiRoutes.channel(channel._id), token);
      for (const url of [cover, image]) assert.deepEqual(await statuses(forum, url), hidden);
      await forum.json('POST', apiRoutes.restoreChannel(channel._id), token);
      for (const url of [cover, image]) assert.deepEqual(await statuses(forum, url), sent);
    });

    test('their author sees them in the bin by addresses that expire', async () => {
      const author = await forum.person();
      const { _id } = await forum.channel(author);
      const urls = [await upload(forum, author), await upload(forum, author)];
      for (const url of urls)
        await forum.comment(author, _id, 'uno', { images: [{ url, alt: 'a' }] });
      const token = { token: author.token };
      for (const number of [1, 2]) {
        await forum.call('DELETE', apiRoutes.channelComment(_id, number), token);
      }
      const signedUrls = async () => {
        const { data } = await forum.json<Bin>('GET', apiRoutes.bin, token);
        return data.map(({ comment }) => comment.images[0]?.url ?? '').reverse();
      };
      const [first = '', second = ''] = await signedUrls();
      for (const url of [first, second, assetRoutes.variant(first, '500.webp')]) {
        const response = await forum.call('GET', url);
        assert.equal(response.status, 200, url);
        assert.equal(response.headers.get('cache-control'), 'no-store');
      }
      const signature = (url: string) =>
        new URL(url, forum.url).searchParams.get('signature') ?? '';
      const later = signature(first).replace(/^\d+/, (time) => String(Number(time) + 1));
      for (const wrong of [
        signature(second),
        later,
        'x',
        '',
        `${Date.now() + 1000}-${'A'.repeat(43)}`,
      ]) {
        const url = `${urls[0]}?signature=${encodeURIComponent(wrong)}`;
        assert.equal((await forum.call('GET', url)).status, 404, wrong);
      }
      await withdrawImages(forum.deps);
      const [renewed = ''] = await signedUrls();
      assert.equal((await forum.call('GET', renewed)).status, 200, 'also with its new keys');
      aheadMs += 11 * 60_000;
      assert.equal((await forum.call('GET', renewed)).status, 404, 'expired');
    });

    test('the address from the bin ends when they are erased', async () => {
      const author = await forum.person();
      const { _id } = await forum.channel(author);
      const url = await upload(forum, author);
      await forum.comment(author, _id, 'uno', { images: [{ url, alt: '' }] });
      const token = { token: author.token };
      await forum.call('DELETE', apiRoutes.channelComment(_id, 1), token);
      const { data } = await forum.json<Bin>('GET', apiRoutes.bin, token);
      const signed = data[0]?.comment.images[0]?.url ?? '';
      const statusOf = async (one: string) => (await forum.call('GET', one)).status;
      for (const one of [signed, assetRoutes.variant(signed, '500.webp')]) {
        assert.equal(await statusOf(one), 200, one);
      }
      await operate(forum, 'erase', commentId(_id, 1));
      for (const one of [signed, assetRoutes.variant(signed, '500.webp')]) {
        assert.equal(await statusOf(one), 404, one);
      }
    });

    test('whoever uploads one again sees it before posting, and visitors after', async () => {
      const author = await forum.person();
      const { _id } = await forum.channel(author);
      const token = { token: author.token };
      for (const use of ['comment', 'cover'] as const) {
        const bytes = await quarters(500, use === 'cover' ? 90 : 91)
          .png()
          .toBuffer();
        const uploadIt = async () => {
          const response = await forum.upload(author, bytes, { filename: `${use}.png`, use });
          return (await response.json()) as StoredFile;
        };
        const post = async (url: string): Promise<() => Promise<unknown>> => {
          if (use === 'comment') {
            const { number } = await forum.comment(author, _id, 'uno', {
              images: [{ url, alt: '' }],
            });
            return () => forum.json('DELETE', apiRoutes.channelComment(_id, number), token);
          }
          const body = { name: 'Canal', description: 'Con portada', cover: url };
          const made = await forum.json<Channel>('POST', apiRoutes.channels, { ...token, body });
          return () => forum.json('DELETE', apiRoutes.channel(made._id), token);
        };
        const { fullPath, downloadURL } = await uploadIt();
        const url = assetRoutes.file(fullPath);
        const remove = await post(downloadURL);
        await remove();
        const again = await uploadIt();
        assert.equal(again.fullPath, fullPath);
        assert.equal((await forum.call('GET', again.downloadURL)).status, 200, again.downloadURL);
        assert.deepEqual(await statuses(forum, url), hidden);
        await withdrawImages(forum.deps);
        await post(again.downloadURL);
        assert.deepEqual(await statuses(forum, url), sent);
      }
    });
  });
}

test('housekeeping gives objects in a public bucket new keys, also after an interruption, and only while they are hidden', {
  skip: noBucket,
}, async () => {
  await using forum = await Forum.start('postgres', await createBucket({ isPublic: true }));
  const author = await forum.person();
  const { _id } = await forum.channel(author);
  const urls = [await upload(forum, author), await upload(forum, author)];
  for (const url of urls) await forum.comment(author, _id, 'uno', { images: [{ url, alt: '' }] });
  const publicUrls = await Promise.all(urls.map((url) => publicUrl(forum, url)));
  const before = await storedObjectKeys(forum);
  await withdrawImages(forum.deps);
  assert.deepEqual(await storedObjectKeys(forum), before, 'both are visible');

  const token = { token: author.token };
  for (const number of [1, 2]) {
    await forum.call('DELETE', apiRoutes.channelComment(_id, number), token);
  }
  let moved = 0;
  const interrupted = withdrawImages(forum.deps, async () => {
    if (moved++ === 1) throw new Error('interrupted');
  });
  await assert.rejects(interrupted);
  await withdrawImages(forum.deps);
  const later = { ...forum.deps, now: () => Date.now() + 2 * dayMs };
  const copies = before.length / 2;
  assert.equal((await sweepImages(later)).strays, copies, 'those of the interruption');
  const after = await storedObjectKeys(forum);
  assert.equal(after.length, before.length);
  assert.deepEqual(
    after.filter((key) => before.includes(key)),
    [],
  );
  await withdrawImages(forum.deps);
  assert.deepEqual(await storedObjectKeys(forum), after, 'once');
  for (const url of publicUrls) if (url) assert.ok((await fetch(url)).status >= 400, url);

  await forum.json('POST', apiRoutes.restoreComment(_id, 1), token);
  const [url = ''] = urls;
  assert.deepEqual(await statuses(forum, url), sent);
  assert.equal(await publicUrl(forum, url), null, 'its keys are not given out');
  await withdrawImages(forum.deps);
  assert.deepEqual(await storedObjectKeys(forum), after);
  assert.equal((await publicUrl(forum, url)) === null, publicUrls[0] === null);
  assert.deepEqual(await statuses(forum, url), sent);
});

test('nothing is removed when the lock was lost while objects were copied', {
  skip: noBucket,
}, async () => {
  await using forum = await Forum.start('sqlite', await createBucket({ isPublic: true }));
  const author = await forum.person();
  const { _id } = await forum.channel(author);
  const images = [{ url: await upload(forum, author), alt: '' }];
  await forum.comment(author, _id, 'uno', { images });
  await forum.call('DELETE', apiRoutes.channelComment(_id, 1), { token: author.token });
  const before = await storedObjectKeys(forum);
  const withdrawn = withdrawImages(forum.deps, async () => {
    if ((await storedObjectKeys(forum)).length > before.length) throw new Error('lost');
  });
  await assert.rejects(withdrawn, /lost/);
  const after = await storedObjectKeys(forum);
  assert.deepEqual(
    before.filter((key) => !after.includes(key)),
    [],
  );
});

test('an image that cannot be moved does not keep others from being moved', {
  skip: noBucket,
}, async () => {
  await using forum = await Forum.start('sqlite', await createBucket({ isPublic: true }));
  const author = await forum.person();
  const { _id } = await forum.channel(author);
  const url = await upload(forum, author);
  await forum.comment(author, _id, 'uno', { images: [{ url, alt: '' }] });
  const before = await storedObjectKeys(forum);
  // It comes first, and the uploaded image after a whole batch.
  const stuck = { ...imageRow(author.id, 'atascada.png'), picture_id: '!' };
  const { images } = forum.deps;
  const readWhole = images.readWhole.bind(images);
  images.readWhole = async (key, range) => {
    if (key.startsWith('!')) throw new Error('it cannot be read');
    return readWhole(key, range);
  };
  const others = Array.from({ length: 600 }, (_, index) => ({
    ...imageRow(author.id, `antigua-${index}.png`),
    picture_id: `!a${index}`,
  }));
  const { db } = forum.deps;
  await db
    .insertInto('images')
    .values([stuck, ...others])
    .execute();
  await db
    .insertInto('comment_images')
    .values({ channel_id: _id, number: 1, position: 1, url: stuck.url, alt: '' })
    .execute();
  await forum.call('DELETE', apiRoutes.channelComment(_id, 1), { token: author.token });
  await assert.rejects(withdrawImages(forum.deps), /it cannot be read/);
  const after = await storedObjectKeys(forum);
  assert.equal(after.length, before.length);
  assert.deepEqual(
    after.filter((key) => before.includes(key)),
    [],
  );
});

test('objects that nobody can fetch keep their keys, so that an older copy of the database finds them', async () => {
  await using forum = await Forum.start('sqlite');
  const author = await forum.person();
  const { _id } = await forum.channel(author);
  await forum.comment(author, _id, 'uno', {
    images: [{ url: await upload(forum, author), alt: '' }],
  });
  await forum.call('DELETE', apiRoutes.channelComment(_id, 1), { token: author.token });
  const before = await storedObjectKeys(forum);
  await withdrawImages(forum.deps);
  assert.deepEqual(await storedObjectKeys(forum), before);
});

test('other requests are served while housekeeping looks at many images', {
  skip: noBucket,
}, async () => {
  await using forum = await Forum.start('sqlite', await createBucket({ isPublic: true }));
  const { id } = await forum.person();
  const rows = Array.from({ length: 1201 }, (_, index) => imageRow(id, `antigua-${index}.png`));
  for (const some of [rows.slice(0, 600), rows.slice(600)]) {
    await forum.deps.db.insertInto('images').values(some).execute();
  }
  const turns = await countTurns(() => withdrawImages(forum.deps));
  assert.ok(turns >= 2, `${turns} turns of the event loop`);
});

/** An image of which nothing is stored. */
function imageRow(accountId: string, name: string): ImageRow {
  return {
    full_path: `images/${name}`,
    path_key: `images/${name}`,
    url: `/files/images/${name}`,
    picture_id: randomUUID(),
    account_id: accountId,
    use: 'comment',
    content_type: 'image/png',
    size_bytes: 1,
    stored_bytes: 1,
    md5: '',
    content_hash: '',
    width: 1,
    height: 1,
    largest_form: 1,
    created_at_ms: 1,
    updated_at_ms: 1,
    used_at_ms: 1,
    withdrawn_at_ms: null,
  };
}

let uploads = 0;

/** @returns the address on the site of an image that nobody has uploaded before */
async function upload(forum: Forum, owner: Person, use: ImageUse = 'comment'): Promise<string> {
  const bytes = await quarters(500, 100 + uploads++)
    .png()
    .toBuffer();
  const response = await forum.upload(owner, bytes, { filename: `foto-${uploads}.png`, use });
  return assetRoutes.file(((await response.json()) as StoredFile).fullPath);
}

/** The statuses of the responses for an image, a variant of it and its data. */
async function statuses(forum: Forum, url: string): Promise<number[]> {
  const data = apiRoutes.storedFile(decodeURIComponent(url.replace('/files/', '')));
  const found = [];
  for (const path of [url, assetRoutes.variant(url, '500.webp'), data]) {
    found.push((await fetch(new URL(path, forum.url))).status);
  }
  return found;
}

/** The URL to which the site redirects; null when it sends the image itself. */
async function publicUrl(forum: Forum, url: string): Promise<string | null> {
  return (await forum.call('GET', url)).headers.get('location');
}
