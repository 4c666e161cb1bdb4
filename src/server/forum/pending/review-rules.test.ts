import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, hideContent, staff } from '../../../../test/forum/moderators.ts';
import { makeOlder } from '../../../../test/forum/old-account.ts';
import { pendingPosts } from '../../../../test/forum/pending-posts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import type { News } from '../../../shared/people.ts';

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
    const send = { key: randomUUID(), replyTo: 1 };
    const one = await pending(await put(eva, 'Hola, soy nueva', send));
    assert.deepEqual(
      [one.kind, one.state, one.number, one.comment, one.channelId, one.replyTo],
      ['comment', 'pending', null, 'Hola, soy nueva', posts.channel._id, 1],
    );
    assert.deepEqual(await pending(await put(eva, 'Hola, soy nueva', send)), one);
    const two = await pending(await put(eva, 'Y otra cosa'));
    assert.deepEqual(await list(eva), [one, two]);
    assert.deepEqual(await list(posts.host), []);
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(posts.channel._id)), before);
    const found = await forum().json<{ data: unknown[] }>('GET', `${apiRoutes.search}?q=nueva`);
    assert.deepEqual(found.data, []);
  });

  test('first posts are reviewed, but not those of staff, of people who have published something that is shown, or without reviews; and the account is told beforehand', async () => {
    const expectReview = async (person: Person, isReviewed: boolean) => {
      const { token } = person;
      const told = await forum().json<News>('GET', apiRoutes.news, { token });
      assert.equal(told.reviewsNext, isReviewed);
      assert.equal((await put(person, 'Hola')).status, isReviewed ? 202 : 200);
    };
    const moderator = await staff(forum());
    for (const free of [posts.host, moderator]) await expectReview(free, false);
    const hidden = await known();
    const last = (await forum().allComments(posts.channel._id)).at(-1);
    await hideContent(forum(), commentId(posts.channel._id, last?.number ?? 0));
    await expectReview(hidden, true);
    const newcomer = await forum().person();
    for (let count = 0; count < 2; count++) await expectReview(newcomer, true);
    const [{ id } = assert.fail()] = await list(newcomer);
    await decided(forum(), moderator, { subject: { kind: 'comment', id }, action: 'approve' });
    await expectReview(newcomer, false);
    await changeSettings(forum(), {});
    await expectReview(await forum().person(), false);
    await reviewFirstPosts(forum());
  });

  test('posts wait for a reason: a first post, or links, channels or comments of a young account', async () => {
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
    const contacts = { description: 'www.uno.es t.me/dos y 600 123 456' };
    assert.equal(await reasonOf(await newChannel(young, contacts)), 'links');
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

  test('an edit by a young account is queued once it adds an address or an image', async () => {
    const young = await known();
    const { token } = young;
    const own = (await (await put(young, 'Mira https://uno.es/a.')).json()) as Comment;
    const made = (await (await newChannel(young)).json()) as Channel;
    const urls = {
      comment: apiRoutes.channelComment(posts.channel._id, own.number),
      channel: apiRoutes.channel(made._id),
    };
    const revisions = { comment: 1, channel: 1 };
    const edit = async (kind: 'comment' | 'channel', body: object) => {
      const headers = { 'if-match': `"${revisions[kind]++}"` };
      await forum().json('PATCH', urls[kind], { token, headers, body });
    };
    const { db } = forum().services;
    /** The cases that were opened since the last call: kind, text, revision, reports and number of images. */
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
      ['channel', 'Llama al 600 123 456\n\nAcelgas y puerros', 3, 0, 2],
    ]);
    const img = await uploaded(young, 'avatar', 9);
    await forum().json('PUT', apiRoutes.updateImage, { token, body: { img } });
    assert.deepEqual(await cases(), [['user', young.name, 0, 0, 1]]);
    const body = { currentPassword: young.password, name: 'tienda.com' };
    await forum().json('PATCH', apiRoutes.me, { token, body });
    assert.deepEqual(await cases(), [['user', 'tienda.com', 0, 0, 1]]);
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const later = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    const event = { title: 'Cena', allDay: true, dates: [{ start: day }] };
    const dated = (await (await put(young, '', { event })).json()) as Comment;
    const change = (revision: number, changed: object) =>
      forum().json('PATCH', apiRoutes.event(posts.channel._id, dated.number), {
        token,
        body: changed,
        headers: { 'if-match': `"${revision}"` },
      });
    await change(1, { title: 'Comida', dates: [{ position: 0, start: later }] });
    assert.deepEqual(await cases(), []);
    await change(2, { location: 'Llama al 600 123 456' });
    const [[kind, text] = []] = await cases();
    assert.equal(kind, 'comment');
    assert.match(String(text), /Llama al 600 123 456/);
    for (let days = 0; days < limits.youngDays; days++) await makeOlder(forum(), young);
    await edit('comment', { comment: 'Mira www.otra.es', images });
    assert.deepEqual(await cases(), []);
  });

  test('a post that would be refused is refused, not stored for review', async () => {
    const eva = await forum().person();
    const image = '/files/images/no.png';
    const mentions = [{ start: 0, length: 2, accountId: randomUUID() }];
    const refused = async (more: object, status: number, code: ProblemCode) =>
      expectProblem(await put(eva, '@x', { ...more }), status, code);
    await refused({ id: 'x' }, 404, 'channel_not_found');
    for (const more of [{ replyTo: 999_999 }, { images: [{ url: image, alt: '' }] }, { mentions }])
      await refused(more, 400, 'invalid_fields');
    for (const more of [{ name: '' }, { cover: image }])
      await expectProblem(await newChannel(eva, more), 400, 'invalid_fields');
    const { _id: id } = posts.channel;
    await forum().json('POST', apiRoutes.closeChannel(id), posts.host);
    await refused({}, 409, 'channel_closed');
    await forum().json('POST', apiRoutes.reopenChannel(id), posts.host);
    const subject = { kind: 'user', id: eva.id } as const;
    await decided(forum(), await staff(forum()), { subject, action: 'silence', days: 1 });
    await refused({}, 403, 'silenced');
    assert.deepEqual(await list(eva), []);
  });

  test('at most twenty posts of an account wait', async () => {
    const eva = await forum().person();
    for (let count = 0; count < limits.pendingPerAccount; count++)
      await pending(await put(eva, 'Hola'));
    await expectProblem(await put(eva, 'Una más'), 403, 'too_many_pending');
    await expectProblem(await newChannel(eva), 403, 'too_many_pending');
    const [first = assert.fail()] = await list(eva);
    assert.equal((await withdraw(eva, first)).status, 200);
    await pending(await put(eva, 'Ahora sí'));
  });
});
