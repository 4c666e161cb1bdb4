import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff } from '../../../../test/forum/moderators.ts';
import { makeOlder } from '../../../../test/forum/old-account.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { pendingPosts } from '../../../../test/forum/pending-posts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { PendingList } from '../../../shared/pending.ts';

const _dayMs = 86_400_000;

onBothEngines('rules of reviews', (forum, _wait, engine) => {
  const posts = pendingPosts(forum);
  const { put, pending, list, withdraw, newChannel, uploaded, known } = posts;

  test('a young account cannot publish more posts by sending them at once', async () => {
    const young = await known();
    const ids = [];
    await changeSettings(forum(), {});
    for (let count = 0; count < 6; count++) ids.push((await forum().channel(posts.host))._id);
    await reviewFirstPosts(forum());
    const answers = await Promise.all(
      ids.map((id) => put(young, `Mira https://uno.es/${id}`, { id })),
    );
    const published = answers.filter(({ status }) => status === 200);
    assert.equal(published.length, limits.youngLinks);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('a first comment is pending, listed only for its author, and stored once under its key', async () => {
    const eva = await forum().person('Eva');
    const before = await forum().json<Channel>('GET', apiRoutes.channel(posts.channel._id));
    const key = randomUUID();
    const one = await pending(await put(eva, 'Hola, soy nueva', { key, replyTo: 1 }));
    assert.deepEqual(
      [one.kind, one.state, one.number, one.comment, one.channelId, one.replyTo],
      ['comment', 'pending', null, 'Hola, soy nueva', posts.channel._id, 1],
    );
    assert.deepEqual(await pending(await put(eva, 'Hola, soy nueva', { key, replyTo: 1 })), one);
    const two = await pending(await put(eva, 'Y otra cosa'));
    assert.deepEqual(await list(eva), [one, two]);
    assert.deepEqual(await list(posts.host), []);
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(posts.channel._id)), before);
    const found = await forum().json<{ data: unknown[] }>('GET', `${apiRoutes.search}?q=nueva`);
    assert.deepEqual(found.data, []);
  });

  test('people who have published, and staff, are not reviewed unless everything of theirs is hidden, and without reviews nobody is', async () => {
    assert.equal((await put(posts.host, 'Aquí sigo')).status, 200);
    const moderator = await staff(forum());
    assert.equal((await put(moderator, 'De la casa')).status, 200);
    const hidden = await known();
    const [last] = (await forum().allComments(posts.channel._id)).slice(-1);
    await operate(forum(), 'hide', commentId(posts.channel._id, last?.number ?? 0));
    await pending(await put(hidden, 'Lo mío está oculto'));
    await changeSettings(forum(), {});
    const newcomer = await forum().person();
    assert.equal((await put(newcomer, 'Sin revisión')).status, 200);
    await reviewFirstPosts(forum());
  });

  test('an account can see beforehand whether its next post will be reviewed as its first', async () => {
    const isReviewed = async ({ token }: Person) =>
      (await forum().json<PendingList>('GET', apiRoutes.pendingPosts, { token })).reviewsNext;
    const newcomer = await forum().person();
    assert.equal(await isReviewed(newcomer), true);
    const { id } = await pending(await put(newcomer, 'Hola'));
    assert.equal(await isReviewed(newcomer), true);
    const moderator = await staff(forum());
    await decided(forum(), moderator, { subject: { kind: 'comment', id }, action: 'approve' });
    for (const free of [newcomer, posts.host, moderator])
      assert.equal(await isReviewed(free), false);
    await changeSettings(forum(), {});
    assert.equal(await isReviewed(await forum().person()), false);
    await reviewFirstPosts(forum());
  });

  test('have a reason: a first post, links, comments or channels', async () => {
    const reasonOf = async (response: Response) => {
      const { id } = await pending(response);
      const query = forum()
        .services.db.selectFrom('pending_posts')
        .select('reason')
        .where('id', '=', id);
      return (await query.executeTakeFirstOrThrow()).reason;
    };
    assert.equal(await reasonOf(await put(await forum().person(), 'Hola')), 'first_post');
    const young = await known();
    const link = 'HTTPS://ejemplo.es/';
    assert.equal((await put(young, `${link}1 y ${link}2`)).status, 200);
    assert.equal((await put(young, 'Sin enlaces')).status, 200);
    assert.equal(await reasonOf(await put(young, `Otro: ${link}3`)), 'links');
    assert.equal((await newChannel(young)).status, 201);
    assert.equal(await reasonOf(await newChannel(young, { name: 'Otro' })), 'channels');
    for (let count = 3; count < limits.youngComments; count++) {
      assert.equal((await put(young, `Número ${count}`)).status, 200);
    }
    assert.equal(await reasonOf(await put(young, 'El undécimo')), 'comments');
    const old = await known();
    for (let days = 0; days < limits.youngDays; days++) await makeOlder(forum(), old);
    assert.equal((await put(old, `${link}1 ${link}2 ${link}3`)).status, 200);
    for (const name of ['Uno', 'Dos']) assert.equal((await newChannel(old, { name })).status, 201);
  });

  test('links also count in channels, and without https://', async () => {
    const young = await known();
    await pending(await newChannel(young, { description: 'www.uno.es t.me/dos y 600 123 456' }));
  });

  test('an edit by a young account is queued once it adds an address or an image', async () => {
    const young = await known();
    const own = (await (await put(young, 'Mira https://uno.es/a.')).json()) as Comment;
    const made = (await (await newChannel(young)).json()) as Channel;
    const { db } = forum().services;
    const cases = async () => {
      const rows = await db
        .selectFrom('cases')
        .select(['subject_kind', 'text', 'images', 'revision', 'report_count'])
        .where('account_id', '=', young.id)
        .orderBy('id')
        .execute();
      await db.deleteFrom('cases').where('account_id', '=', young.id).execute();
      return rows.map(({ images, ...row }) => [...Object.values(row), JSON.parse(images).length]);
    };
    let revisions = { comment: 1, channel: 1 };
    const edit = async (kind: 'comment' | 'channel', body: object) => {
      const url =
        kind === 'comment'
          ? apiRoutes.channelComment(posts.channel._id, own.number)
          : apiRoutes.channel(made._id);
      const headers = { 'if-match': `"${revisions[kind]}"` };
      await forum().json('PATCH', url, { token: young.token, headers, body });
      revisions = { ...revisions, [kind]: revisions[kind] + 1 };
    };
    await edit('comment', { comment: 'Mira (https://uno.es/a), y nada más' });
    await edit('channel', { description: 'Acelgas y puerros' });
    assert.deepEqual(await cases(), []);
    await edit('comment', { comment: 'Mira t.me/ofertas' });
    await edit('comment', { comment: 'Mira t.me/ofertas, en serio' });
    assert.deepEqual(await cases(), [['comment', 'Mira t.me/ofertas', 3, 0, 0]]);
    const images = [{ url: await uploaded(young, 'comment', 7), alt: '' }];
    await edit('comment', { comment: 'Sin nada', images });
    assert.deepEqual(await cases(), [['comment', 'Sin nada', 5, 0, 1]]);
    await edit('channel', { name: 'Llama al 600 123 456' });
    await edit('channel', { cover: await uploaded(young, 'cover', 8) });
    assert.deepEqual(await cases(), [
      ['channel', 'Llama al 600 123 456\n\nAcelgas y puerros', 3, 0, 1],
    ]);
    const { token } = young;
    const img = await uploaded(young, 'avatar', 9);
    await forum().json('PUT', apiRoutes.updateImage, { token, body: { img } });
    assert.deepEqual(await cases(), [['user', young.name, 0, 0, 1]]);
    const body = { currentPassword: young.password, name: 'tienda.com' };
    await forum().json('PATCH', apiRoutes.me, { token, body });
    assert.deepEqual(await cases(), [['user', 'tienda.com', 0, 0, 1]]);
    for (let days = 0; days < limits.youngDays; days++) await makeOlder(forum(), young);
    await edit('comment', { comment: 'Mira www.otra.es', images });
    assert.deepEqual(await cases(), []);
  });

  test('a post that would be refused is refused, not stored for review', async () => {
    const eva = await forum().person();
    const { _id: id } = posts.channel;
    const refused = async (more: Record<string, unknown>, status: number, code: string) => {
      const response = await put(eva, 'Hola', more);
      assert.deepEqual(
        [response.status, ((await response.json()) as { code: string }).code],
        [status, code],
      );
    };
    await refused({ id: 'x' }, 404, 'channel_not_found');
    await refused({ replyTo: 999_999 }, 400, 'invalid_fields');
    await refused({ replyTo: 1, replyExcerpt: 'No lo dijo' }, 400, 'invalid_fields');
    await refused({ images: [{ url: '/files/images/no.png', alt: '' }] }, 400, 'invalid_fields');
    const mentions = [{ start: 0, length: 2, accountId: randomUUID() }];
    const response = await put(eva, '@x', { mentions });
    await expectProblem(response, 400, 'invalid_fields');
    await forum().json('POST', apiRoutes.closeChannel(id), posts.host);
    await refused({}, 409, 'channel_closed');
    await forum().json('POST', apiRoutes.reopenChannel(id), posts.host);
    await expectProblem(await newChannel(eva, { name: '' }), 400, 'invalid_fields');
    await expectProblem(
      await newChannel(eva, { cover: '/files/images/no.png' }),
      400,
      'invalid_fields',
    );
    assert.deepEqual(await list(eva), []);
    const moderator = await staff(forum());
    const subject = { kind: 'user', id: eva.id } as const;
    await decided(forum(), moderator, { subject, action: 'silence', days: 1 });
    await refused({}, 403, 'silenced');
    assert.equal((await forum().call('GET', apiRoutes.pendingPosts, eva)).status, 200);
  });

  test('are at most twenty per account', async () => {
    const eva = await forum().person();
    for (let count = 0; count < limits.pendingPerAccount; count++)
      await pending(await put(eva, 'Hola'));
    await expectProblem(await put(eva, 'Una más'), 403, 'too_many_pending');
    await expectProblem(await newChannel(eva), 403, 'too_many_pending');
    const [first] = await list(eva);
    assert.ok(first);
    assert.equal((await withdraw(eva, first)).status, 200);
    await pending(await put(eva, 'Ahora sí'));
  });
});
