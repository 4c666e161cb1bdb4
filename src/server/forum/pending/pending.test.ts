import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { decided, staff } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { pendingPosts } from '../../../../test/forum/pending-posts.ts';
import { readZip, rowsIn } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

onEngine('sqlite', 'pending posts', (forum, wait) => {
  const posts = pendingPosts(forum);
  const { put, pending, list, withdraw, newChannel, uploaded } = posts;

  test('a comment is returned whole to its author alone when it is withdrawn, once, and its images are stored and shown to nobody else', async () => {
    const [eva, other] = [await forum().person(), await forum().person()];
    const url = await uploaded(eva, 'comment', 1);
    const mentions = [{ start: 0, length: 4, accountId: posts.host.id }];
    const images = [{ url, alt: 'Cuatro' }];
    const one = await pending(await put(eva, '@Ana, hola', { mentions, images, replyTo: 1 }));
    const isShown = async (address = '') => (await forum().call('GET', address)).status === 200;
    // Longer than an unused image is stored.
    wait(2 * dayMs);
    await sweepImages(forum().services);
    assert.equal(await isShown(url), false);
    assert.equal(await isShown((await list(eva))[0]?.images[0]?.url), true);
    await expectProblem(await withdraw(other, one), 404, 'pending_not_found');
    const response = await withdraw(eva, one);
    assert.match(response.headers.get('cache-control') ?? '', /no-store/);
    const back = (await response.json()) as PendingPost;
    assert.deepEqual(
      [back.comment, back.mentions, back.replyTo],
      ['@Ana, hola', [{ ...mentions[0], name: 'Ana' }], 1],
    );
    assert.deepEqual(await list(eva), []);
    await expectProblem(await withdraw(eva, one), 404, 'pending_not_found');
    // The images can be used again, even some time later.
    wait(dayMs / 2);
    await sweepImages(forum().services);
    const again = await pending(await put(eva, 'Otra vez', { images: back.images }));
    assert.equal(again.images[0]?.alt, 'Cuatro');
  });

  test('a channel is pending once under its key, and returned when it is withdrawn', async () => {
    const eva = await forum().person();
    const headers = { 'idempotency-key': randomUUID() };
    const cover = await uploaded(eva, 'cover', 2);
    const body = { name: 'Huerta', description: 'Tomates', cover, coverAlt: 'Una mata' };
    const send = () =>
      forum().call('POST', apiRoutes.channels, { token: eva.token, body, headers });
    const one = await pending(await send());
    assert.equal((await pending(await send())).id, one.id);
    const channels = await forum().json<{ data: Channel[] }>('GET', apiRoutes.channels);
    assert.ok(channels.data.every(({ name }) => name !== 'Huerta'));
    const back = (await (await withdraw(eva, one)).json()) as PendingPost;
    assert.deepEqual(
      [back.kind, back.channelId, back.name, back.description, back.coverAlt],
      ['channel', null, 'Huerta', 'Tomates', 'Una mata'],
    );
    assert.equal((await forum().call('GET', back.cover)).status, 200);
    // The key was deleted together with the post.
    assert.notEqual((await pending(await send())).id, one.id);
  });

  test('pending posts are in the export of their author, and erased with the account, images included', async () => {
    const eva = await forum().person();
    const url = await uploaded(eva, 'comment', 4);
    const mentions = [{ start: 0, length: 4, accountId: posts.host.id }];
    const images = [{ url, alt: '' }];
    const one = await pending(await put(eva, '@Ana, hola', { mentions, images }));
    const two = await pending(await newChannel(eva));
    const response = await forum().call('GET', apiRoutes.export, eva);
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    const channelId = posts.channel._id;
    const cover = { cover: '/default-avatar.svg', cover_alt: '' };
    assert.deepEqual(rowsIn(files, 'pendientes.jsonl'), [
      {
        id: one.id,
        kind: 'comment',
        channelId,
        content: {
          channelId,
          text: '@Ana, hola',
          images,
          replyTo: null,
          event: null,
          files: [],
          announcement: null,
        },
        createdAt: one.createdAt,
        rejectedBy: null,
      },
      {
        id: two.id,
        kind: 'channel',
        channelId: null,
        content: { name: 'Bancal', description: 'Acelgas', ...cover },
        createdAt: two.createdAt,
        rejectedBy: null,
      },
    ]);
    await askForDeletion(forum(), eva, 'anonymous');
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    for (const table of ['pending_posts', 'images'] as const) {
      const { db } = forum().services;
      const rows = db
        .selectFrom(table as 'images')
        .selectAll()
        .where('account_id', '=', eva.id);
      assert.deepEqual(await rows.execute(), [], table);
    }
  });

  test('a rejected post is listed with its reason, and rejected and unapproved posts are erased after 30 days', async () => {
    const eva = await forum().person();
    const one = await pending(await put(eva, 'Compra esto'));
    const subject = { kind: 'comment', id: one.id } as const;
    await decided(forum(), await staff(forum()), { subject, action: 'reject' });
    wait(dayMs);
    const waiting = await pending(await put(eva, 'Y esto no'));
    const rejected = { ...one, state: 'rejected', reason: 'Es publicidad.' };
    assert.deepEqual(await list(eva), [rejected, waiting]);
    wait(29 * dayMs - 60_000);
    const { token } = await forum().newSession(eva);
    const later = { ...eva, token };
    for (const [ms, left] of [
      [0, [rejected, waiting]],
      [60_000, [waiting]],
      [dayMs - 60_000, [waiting]],
      [60_000, []],
    ] as const) {
      wait(ms);
      await eraseExpired(forum().services);
      assert.deepEqual(await list(later), left);
    }
  });

  test('the pending comments of an erased channel stay with their authors', async () => {
    const [eva, ana] = [await forum().person(), await forum().person()];
    await changeSettings(forum(), {});
    const { _id } = await forum().channel(ana);
    await reviewFirstPosts(forum());
    const one = await pending(await put(eva, 'Aquí no será', { id: _id }));
    await operate(forum(), 'erase', _id);
    assert.deepEqual(await list(eva), [one]);
    assert.equal((await withdraw(eva, one)).status, 200);
  });
});
