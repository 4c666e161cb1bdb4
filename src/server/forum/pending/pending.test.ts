import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { pendingPosts } from '../../../../test/forum/pending-posts.ts';
import { readZip } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

onBothEngines('pending posts', (forum, wait, engine) => {
  const posts = pendingPosts(forum);
  const { put, pending, list, withdraw, newChannel, uploaded, known } = posts;

  const texts = async () =>
    (await forum().allComments(posts.channel._id)).map(({ comment }) => comment);

  test('a pending reply loses its excerpt when the quoted comment is erased', async () => {
    const eva = await forum().person();
    const secret = 'Palabras que su autora borra';
    const { number } = await forum().comment(posts.host, posts.channel._id, secret);
    await pending(await put(eva, 'Contesto', { replyTo: number, replyExcerpt: secret }));
    await operate(forum(), 'erase', commentId(posts.channel._id, number));
    const { db } = forum().services;
    const rows = await db.selectFrom('pending_posts').select('content').execute();
    assert.ok(rows.every(({ content }) => !content.includes(secret)));
    assert.equal((await list(eva))[0]?.comment, 'Contesto');
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('withdrawing returns the whole comment, once, only to its author', async () => {
    const [eva, other] = [await forum().person(), await forum().person()];
    const url = await uploaded(eva, 'comment', 1);
    const one = await pending(
      await put(eva, '@Ana, hola', {
        mentions: [{ start: 0, length: 4, accountId: posts.host.id }],
        images: [{ url, alt: 'Cuatro' }],
        ...{ replyTo: 1, replyExcerpt: 'Bienvenidas' },
      }),
    );
    // Longer than an unused image is stored.
    wait(2 * dayMs);
    await expectProblem(await withdraw(other, one), 404, 'pending_not_found');
    const response = await withdraw(eva, one);
    assert.match(response.headers.get('cache-control') ?? '', /no-store/);
    const back = (await response.json()) as PendingPost;
    assert.deepEqual(
      [back.comment, back.mentions, back.replyTo, back.replyExcerpt],
      [
        '@Ana, hola',
        [{ start: 0, length: 4, accountId: posts.host.id, name: 'Ana' }],
        1,
        'Bienvenidas',
      ],
    );
    assert.deepEqual(await list(eva), []);
    await expectProblem(await withdraw(eva, one), 404, 'pending_not_found');
    // The images can be used again, even some time later.
    wait(dayMs / 2);
    await sweepImages(forum().services);
    const { images } = await pending(await put(eva, 'Otra vez', { images: back.images }));
    assert.equal(images[0]?.alt, 'Cuatro');
  });

  test('a channel is pending once under its key, and returned when it is withdrawn', async () => {
    const eva = await forum().person();
    const key = randomUUID();
    const cover = await uploaded(eva, 'cover', 2);
    const body = { name: 'Huerta', description: 'Tomates', cover, coverAlt: 'Una mata' };
    const send = () =>
      forum().call('POST', apiRoutes.channels, {
        ...{ token: eva.token, body, headers: { 'idempotency-key': key } },
      });
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

  test('images are stored while a post is pending and once it is withdrawn, and shown only to its author', async () => {
    const eva = await forum().person();
    const url = await uploaded(eva, 'comment', 3);
    const one = await pending(await put(eva, 'Mira', { images: [{ url, alt: 'Cuatro' }] }));
    const [image] = one.images;
    assert.equal(image?.alt, 'Cuatro');
    assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await forum().call('GET', image?.url ?? '')).status, 200);
    wait(2 * dayMs);
    await sweepImages(forum().services);
    const [kept] = await list(eva);
    assert.equal((await forum().call('GET', kept?.images[0]?.url ?? '')).status, 200);
    assert.ok(kept);
    await forum().json('POST', apiRoutes.decisions, {
      ...{ token: (await staff(forum())).token },
      body: { subject: { kind: 'comment', id: kept.id }, action: 'reject', reason: 'No' },
    });
    assert.equal((await withdraw(eva, kept)).status, 200);
    await sweepImages(forum().services);
    assert.equal((await forum().call('GET', kept.images[0]?.url ?? '')).status, 200);
  });

  test('are in the export of their author', async () => {
    const eva = await forum().person();
    const mentions = [{ start: 0, length: 4, accountId: posts.host.id }];
    const one = await pending(await put(eva, '@Ana, hola', { mentions }));
    const two = await pending(await newChannel(eva));
    const response = await forum().call('GET', apiRoutes.export, eva);
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual(JSON.parse(files.get('pendientes.json')?.toString() ?? ''), [
      {
        ...{ kind: 'comment', channelId: posts.channel._id, text: '@Ana, hola', images: [] },
        ...{ createdAt: one.createdAt, isRejected: false },
      },
      {
        ...{ kind: 'channel', channelId: null, text: 'Bancal\n\nAcelgas' },
        images: [{ url: '/default-avatar.svg', alt: '' }],
        ...{ createdAt: two.createdAt, isRejected: false },
      },
    ]);
  });

  test('all pending posts of an erased account are erased', async () => {
    const eva = await forum().person();
    const url = await uploaded(eva, 'comment', 4);
    await pending(await put(eva, 'Secreto', { images: [{ url, alt: '' }] }));
    await pending(await newChannel(eva));
    const body = { currentPassword: eva.password, content: 'anonymous' };
    await forum().json('DELETE', apiRoutes.me, { token: eva.token, body });
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    const { db } = forum().services;
    const rows = db.selectFrom('pending_posts').select('id').where('account_id', '=', eva.id);
    assert.deepEqual(await rows.execute(), []);
    const images = db.selectFrom('images').select('url').where('account_id', '=', eva.id);
    assert.deepEqual(await images.execute(), []);
  });

  test('a rejected post is listed with its reason, and rejected and unapproved posts are erased after 30 days', async () => {
    const [eva, moderator] = [await forum().person(), await staff(forum())];
    const one = await pending(await put(eva, 'Compra esto'));
    const subject = { kind: 'comment', id: one.id } as const;
    const { token } = moderator;
    const draft = { subject, action: 'reject', reason: 'Es publicidad.' };
    await forum().json('POST', apiRoutes.decisions, { token, body: draft });
    wait(dayMs);
    const waiting = await pending(await put(eva, 'Y esto no'));
    assert.deepEqual(await list(eva), [
      { ...one, state: 'rejected', reason: 'Es publicidad.' },
      waiting,
    ]);
    const listLater = async () => {
      await eraseExpired(forum().services);
      const response = await forum().signIn(eva.email, eva.password);
      const { token } = (await response.json()) as Person;
      return list({ ...eva, token });
    };
    wait(29 * dayMs);
    assert.deepEqual(await listLater(), [waiting]);
    wait(dayMs);
    assert.deepEqual(await listLater(), []);
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
    assert.ok(!(await texts()).includes('Aquí no será'));
  });

  test('an image that an edit removes is stored as long as the earlier version, and shown to nobody', async () => {
    const eva = await known();
    const url = await uploaded(eva, 'comment', 5);
    const own = (await (
      await put(eva, 'Mira', { images: [{ url, alt: 'Foto' }] })
    ).json()) as Comment;
    assert.equal((await forum().call('GET', url)).status, 200);
    const headers = { 'if-match': '"1"' };
    const path = apiRoutes.channelComment(posts.channel._id, own.number);
    await forum().json('PATCH', path, { token: eva.token, headers, body: { comment: 'Mira' } });
    const stored = async () => {
      await eraseExpired(forum().services);
      await sweepImages(forum().services);
      const images = forum().services.db.selectFrom('images').select('url').where('url', '=', url);
      return (await images.execute()).length;
    };
    wait(29 * dayMs);
    assert.equal(await stored(), 1);
    assert.equal((await forum().call('GET', url)).status, 404);
    wait(2 * dayMs);
    assert.equal(await stored(), 0);
  });
});
