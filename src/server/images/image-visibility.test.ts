import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { changeSettings, reviewFirstPosts } from '../../../test/forum/change-settings.ts';
import type { Forum, Person } from '../../../test/forum/forum.ts';
import { onDisk, storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { makeStaff } from '../../../test/forum/make-staff.ts';
import { decide, hideContent } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import type { Profile, User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';
import type { Queue } from '../../shared/moderation.ts';
import type { PendingPost } from '../../shared/pending.ts';
import { assetRoutes } from '../../shared/routes.ts';
import type { Trash } from '../../shared/trash.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';
import { sweepImages } from './sweep-images.ts';

const dayMs = 86_400_000;
const hidden = [404, 404, 404];
const sent = [200, 200, 200];

onDisk('images for visitors', (forum, wait) => {
  // Counts all images, so it must run first.
  test('images of erased content are not sent, and the next sweep deletes them', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    const [moderated, binned, kept] = [
      await upload(forum(), author),
      await upload(forum(), author),
      await upload(forum(), author),
    ];
    for (const url of [moderated, binned, kept, kept]) {
      await forum().comment(author, _id, 'uno', { images: [{ url, alt: '' }] });
    }
    const cover = await upload(forum(), author, 'cover');
    const channel = await forum().json<Channel>('POST', apiRoutes.channels, {
      token: author.token,
      body: { name: 'Canal', description: 'Con portada', cover },
    });
    const inside = await upload(forum(), author);
    await forum().comment(author, channel._id, 'dos', { images: [{ url: inside, alt: '' }] });

    for (const id of [commentId(_id, 1), commentId(_id, 3), channel._id]) {
      await operate(forum(), 'erase', id);
    }
    for (const url of [moderated, cover, inside]) {
      assert.deepEqual(await statuses(forum(), url), hidden);
    }
    assert.equal((await sweepImages(forum().services)).images, 3, 'without waiting for a day');
    await forum().call('DELETE', apiRoutes.channelComment(_id, 2), { token: author.token });
    wait(31 * dayMs);
    await eraseExpired(forum().services);
    assert.deepEqual(await statuses(forum(), binned), hidden);
    assert.deepEqual(await statuses(forum(), kept), sent);
    await sweepImages(forum().services);
    const ids = new Set((await storedObjectKeys(forum())).map((key) => key.split('.')[0]));
    assert.equal(ids.size, 1);
  });

  // Images of whatever else is hidden or deleted are in moderation/decisions/who-sees-what.test.ts.
  test('an image is sent before anything has it, and then while any visible comment or cover has it', async () => {
    const author = await forum().person();
    const token = { token: author.token };
    const image = await upload(forum(), author);
    const former = await upload(forum(), author, 'cover');
    const cover = await upload(forum(), author, 'cover');
    assert.deepEqual(await statuses(forum(), cover), sent);
    const body = { name: 'Canal', description: 'Con portada', cover: former };
    const { _id } = await forum().json<Channel>('POST', apiRoutes.channels, { ...token, body });
    for (const text of ['uno', 'otra vez'])
      await forum().comment(author, _id, text, { images: [{ url: image, alt: '' }] });
    await hideContent(forum(), commentId(_id, 1));
    assert.deepEqual(await statuses(forum(), image), sent);
    await forum().call('DELETE', apiRoutes.channelComment(_id, 2), token);
    assert.deepEqual(await statuses(forum(), image), hidden);
    await forum().json('POST', apiRoutes.restoreComment(_id, 2), token);
    assert.deepEqual(await statuses(forum(), image), sent);

    const headers = { 'if-match': '"1"' };
    await forum().json('PATCH', apiRoutes.channel(_id), { ...token, body: { cover }, headers });
    assert.deepEqual(await statuses(forum(), former), hidden);
    await forum().call('DELETE', apiRoutes.channel(_id), token);
    for (const url of [cover, image]) assert.deepEqual(await statuses(forum(), url), hidden);
    await forum().json('POST', apiRoutes.restoreChannel(_id), token);
    for (const url of [cover, image]) assert.deepEqual(await statuses(forum(), url), sent);
  });

  test('the author of a deleted comment sees its images in the trash by addresses that expire, and that end when it is erased', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    const urls = [await upload(forum(), author), await upload(forum(), author)];
    for (const url of urls)
      await forum().comment(author, _id, 'uno', { images: [{ url, alt: 'a' }] });
    const token = { token: author.token };
    for (const number of [1, 2]) {
      await forum().call('DELETE', apiRoutes.channelComment(_id, number), token);
    }
    const signedUrls = async () => {
      const { data } = await forum().json<Trash>('GET', apiRoutes.trash, token);
      return data.map(({ comment }) => comment.images[0]?.url ?? '').reverse();
    };
    const [first = '', second = ''] = await signedUrls();
    const variant = assetRoutes.variant(first, '500.webp');
    for (const url of [first, second, variant]) {
      const response = await forum().call('GET', url);
      assert.equal(response.status, 200, url);
      assert.equal(response.headers.get('cache-control'), 'private, no-store');
    }
    const signature = (url: string) =>
      new URL(url, forum().url).searchParams.get('signature') ?? '';
    const later = signature(first).replace(/^\d+/, (time) => String(Number(time) + 1));
    const invented = `${Date.now() + 1000}-${'A'.repeat(43)}`;
    for (const wrong of [signature(second), later, 'x', '', invented]) {
      const url = `${urls[0]}?signature=${encodeURIComponent(wrong)}`;
      assert.equal((await forum().call('GET', url)).status, 404, wrong);
    }
    await operate(forum(), 'erase', commentId(_id, 1));
    for (const url of [first, variant]) assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await forum().call('GET', second)).status, 200);
    wait(11 * 60_000);
    const expired = await forum().call('GET', second);
    assert.equal(expired.status, 404);
    assert.equal(expired.headers.get('cache-control'), 'no-store');
  });

  test('an image that is uploaded again is shown to its uploader before posting, and to visitors afterwards', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    const token = { token: author.token };
    for (const use of ['comment', 'cover'] as const) {
      const bytes = await quarters(500, use === 'cover' ? 90 : 91)
        .png()
        .toBuffer();
      const uploadIt = async () => {
        const response = await forum().upload(author, bytes, { filename: `${use}.png`, use });
        return (await response.json()) as StoredFile;
      };
      const post = async (url: string): Promise<() => Promise<unknown>> => {
        if (use === 'comment') {
          const { number } = await forum().comment(author, _id, 'uno', {
            images: [{ url, alt: '' }],
          });
          return () => forum().json('DELETE', apiRoutes.channelComment(_id, number), token);
        }
        const body = { name: 'Canal', description: 'Con portada', cover: url };
        const made = await forum().json<Channel>('POST', apiRoutes.channels, { ...token, body });
        return () => forum().json('DELETE', apiRoutes.channel(made._id), token);
      };
      const { fullPath, downloadURL } = await uploadIt();
      const url = assetRoutes.file(fullPath);
      const remove = await post(downloadURL);
      await remove();
      const again = await uploadIt();
      assert.equal(again.fullPath, fullPath);
      assert.equal((await forum().call('GET', again.downloadURL)).status, 200, again.downloadURL);
      assert.deepEqual(await statuses(forum(), url), hidden);
      await post(again.downloadURL);
      assert.deepEqual(await statuses(forum(), url), sent);
    }
  });

  const rowsOf = async (...urls: string[]) => {
    const { db } = forum().services;
    const rows = await db.selectFrom('images').select('url').where('url', 'in', urls).execute();
    return rows.map(({ url }) => url);
  };

  test('a reported avatar stays until 30 days after the decision, even once it is replaced', async () => {
    const moderator = await makeStaff(forum());
    const [eva, ana] = [await forum().person('Eva'), await forum().person('Ana')];
    const { id, token } = eva;
    const [url, next] = [
      await upload(forum(), eva, 'avatar'),
      await upload(forum(), eva, 'avatar'),
    ];
    const change = (img: string) =>
      forum().json('PUT', apiRoutes.updateImage, { token, body: { id, img } });
    await change(url);
    const body = { kind: 'user', id, reason: 'abuse' };
    await forum().json('POST', apiRoutes.reports, { token: ana.token, body });
    await change(next);
    wait(2 * dayMs);
    await sweepImages(forum().services);
    assert.deepEqual(await statuses(forum(), url), hidden);
    const asked = { token: moderator.token };
    const queue = await forum().json<Queue>('GET', apiRoutes.queue, asked);
    const item = queue.data.find(({ subject }) => subject.id === id);
    const [shown] = item?.images ?? [];
    assert.equal((await forum().call('GET', shown?.url ?? '')).status, 200);

    const subject = { kind: 'user' as const, id };
    const decision = { subject, version: item?.version, action: 'dismiss', reason: '' };
    assert.equal((await decide(forum(), moderator, decision)).status, 201);
    await sweepImages(forum().services);
    assert.equal((await rowsOf(url)).length, 1);
    wait(30 * dayMs + 1);
    await eraseExpired(forum().services);
    await sweepImages(forum().services);
    assert.deepEqual(await rowsOf(url), []);
  });

  test('images that were reported are shown to moderators until 30 days after the decision, and to nobody else once they are edited away', async () => {
    const moderator = await makeStaff(forum());
    const eva = await forum().person('Eva');
    const { _id } = await forum().channel(eva);
    const [first, second] = [await upload(forum(), eva), await upload(forum(), eva)];
    await forum().comment(eva, _id, 'uno', { images: [{ url: first, alt: 'Uno' }] });
    const id = commentId(_id, 1);
    const report = () =>
      forum().json('POST', apiRoutes.reports, { body: { kind: 'comment', id, reason: 'abuse' } });
    await report();
    await forum().edit(eva, _id, 1, 'dos', { images: [{ url: second, alt: 'Dos' }] });
    await report();
    await forum().json('PATCH', apiRoutes.channelComment(_id, 1), {
      token: eva.token,
      body: { comment: 'tres' },
      headers: { 'if-match': '"2"' },
    });
    wait(31 * dayMs);
    await eraseExpired(forum().services);
    await sweepImages(forum().services);
    for (const url of [first, second]) assert.deepEqual(await statuses(forum(), url), hidden);
    const { token } = await forum().newSession(moderator);
    const queue = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    const item = queue.data.find(({ subject }) => subject.id === id);
    assert.deepEqual(
      item?.images.map(({ alt }) => alt),
      ['Uno', 'Dos'],
    );
    for (const { url } of item?.images ?? [])
      assert.equal((await forum().call('GET', url)).status, 200);

    const decision = {
      subject: { kind: 'comment' as const, id },
      version: item?.version,
      action: 'dismiss',
      reason: '',
    };
    assert.equal((await decide(forum(), { ...moderator, token }, decision)).status, 201);
    for (const [days, count] of [
      [29, 2],
      [2, 0],
    ] as const) {
      wait(days * dayMs);
      await eraseExpired(forum().services);
      await sweepImages(forum().services);
      assert.equal((await rowsOf(first, second)).length, count);
    }
  });

  test('the operator erases content with its reported images, although the case is open', async () => {
    const eva = await forum().person('Eva');
    const { _id } = await forum().channel(eva);
    const urls = [await upload(forum(), eva), await upload(forum(), eva)];
    for (const [index, url] of urls.entries()) {
      await forum().comment(eva, _id, 'uno', { images: [{ url, alt: '' }] });
      const body = { kind: 'comment', id: commentId(_id, index + 1), reason: 'illegal' };
      const { token } = await forum().person();
      await forum().json('POST', apiRoutes.reports, { token, body });
    }
    await operate(forum(), 'erase', commentId(_id, 1));
    await sweepImages(forum().services);
    assert.deepEqual(await rowsOf(...urls), [urls[1]]);
    await operate(forum(), 'erase', _id);
    await sweepImages(forum().services);
    assert.deepEqual(await rowsOf(...urls), []);
  });

  test('images of an unlisted person are sent only to their owner and to moderators', async () => {
    const moderator = await makeStaff(forum());
    const { _id } = await forum().channel(moderator);
    await reviewFirstPosts(forum());
    try {
      const eva = await forum().person('Eva');
      const token = { token: eva.token };
      const bytes = await quarters(500, 92).png().toBuffer();
      const statusOf = async (url: string) => (await forum().call('GET', url)).status;
      const uploadIt = async (use: ImageUse) => {
        const options = { filename: `eva-${use}.png`, use };
        return (await (await forum().upload(eva, bytes, options)).json()) as StoredFile;
      };

      const fresh = await uploadIt('comment');
      const freshUrl = assetRoutes.file(fresh.fullPath);
      assert.deepEqual(await statuses(forum(), freshUrl), hidden);
      const preview = await forum().call('GET', fresh.downloadURL);
      assert.equal(preview.status, 200);
      assert.equal(preview.headers.get('cache-control'), 'private, no-store');

      const face = await uploadIt('avatar');
      const faceUrl = assetRoutes.file(face.fullPath);
      const body = { img: face.downloadURL };
      const user = await forum().json<User>('PUT', apiRoutes.updateImage, { ...token, body });
      assert.deepEqual(await statuses(forum(), faceUrl), hidden);
      const mine = await forum().json<Profile>('GET', apiRoutes.me, token);
      const asked = { token: moderator.token };
      const theirs = await forum().json<User>('GET', apiRoutes.user(eva.id), asked);
      for (const img of [user.img, mine.img, theirs.img]) {
        assert.notEqual(img, faceUrl);
        assert.equal(await statusOf(img ?? ''), 200);
      }
      // A signed URL is stored without its signature.
      await forum().json('PUT', apiRoutes.updateImage, { ...token, body: { img: mine.img } });
      const { db } = forum().services;
      const { img } = await db
        .selectFrom('accounts')
        .select('img')
        .where('id', '=', eva.id)
        .executeTakeFirstOrThrow();
      assert.equal(img, faceUrl);

      const images = [{ url: fresh.downloadURL, alt: '' }];
      const pendingPost = await forum().json<PendingPost>('PUT', apiRoutes.comment, {
        ...token,
        body: { id: _id, comment: 'Hola', images },
      });
      assert.deepEqual(await statuses(forum(), freshUrl), hidden);
      const approval = { subject: { kind: 'comment' as const, id: pendingPost.id }, reason: '' };
      const decision = await decide(forum(), moderator, { ...approval, action: 'approve' });
      assert.equal(decision.status, 201);
      for (const url of [freshUrl, faceUrl]) assert.deepEqual(await statuses(forum(), url), sent);
      assert.equal(
        (await forum().call('GET', faceUrl)).headers.get('cache-control'),
        'public, max-age=31536000, immutable, s-maxage=3600',
      );
      assert.equal((await forum().json<Profile>('GET', apiRoutes.me, token)).img, faceUrl);
      const more = await uploadIt('cover');
      assert.equal(more.downloadURL, assetRoutes.file(more.fullPath));
    } finally {
      await changeSettings(forum(), {});
    }
  });
});

let uploads = 0;

/** @returns the URL on the site of an image that was never uploaded before */
async function upload(forum: Forum, owner: Person, use: ImageUse = 'comment'): Promise<string> {
  const bytes = await quarters(500, 100 + uploads++)
    .png()
    .toBuffer();
  const response = await forum.upload(owner, bytes, { filename: `foto-${uploads}.png`, use });
  return assetRoutes.file(((await response.json()) as StoredFile).fullPath);
}

/** Statuses of the responses for an image, one of its variants and its metadata. */
async function statuses(forum: Forum, url: string): Promise<number[]> {
  const data = apiRoutes.storedFile(decodeURIComponent(url.replace('/files/', '')));
  const found = [];
  for (const path of [url, assetRoutes.variant(url, '500.webp'), data]) {
    found.push((await fetch(new URL(path, forum.url))).status);
  }
  return found;
}
