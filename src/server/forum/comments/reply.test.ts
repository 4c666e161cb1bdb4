import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment, CommentPage, NewComment } from '../../../shared/comments.ts';
import { withQuery } from '../../../shared/routes.ts';
import { toStoredText } from '../../database/stored-text.ts';

/** Creates a channel with two comments by Ana. */
async function setUp(forum: Forum) {
  const ana = await forum.person('Ana');
  const channel = await forum.channel(ana);
  const original = await forum.comment(ana, channel._id, 'El jueves abren a las cinco, ¿no?');
  await forum.comment(ana, channel._id, 'Otra cosa');
  const read = async (number: number) => {
    const url = withQuery(apiRoutes.channelComments(channel._id), { around: number, limit: 1 });
    const page = await forum.json<CommentPage>('GET', url);
    assert.equal(page.data[0]?.number, number);
    return page.data[0] as Comment;
  };
  return { ana, id: channel._id, original, read };
}

const send = (forum: Forum, author: Person, body: Record<string, unknown>) =>
  forum.call('PUT', apiRoutes.comment, { token: author.token, body });

/** Asserts that the comment is rejected because of this field, and that no comment was counted. */
async function expectRejected(
  forum: Forum,
  author: Person,
  body: Partial<Record<keyof NewComment, unknown>>,
  field: string,
) {
  const problem = await expectProblem(await send(forum, author, body), 400, 'invalid_fields');
  assert.deepEqual(
    problem.errors?.map((error) => error.field),
    [field],
  );
}

onBothEngines('replies', (forum) => {
  test('a reply shows the author and an excerpt of another comment, which counts the reply', async () => {
    const { id, read } = await setUp(forum());
    const eva = await forum().person('Eva');
    const more = { replyTo: 1, replyExcerpt: ' abren a las cinco ' };
    const reply = await forum().comment(eva, id, 'A las seis', more);
    assert.deepEqual(
      [reply.replyTo, reply.replyAutor, reply.replyExcerpt],
      [1, 'Ana', 'abren a las cinco'],
    );
    assert.deepEqual(await read(3), reply);
    assert.equal((await read(1)).replyCount, 1);
    const withoutExcerpt = await forum().comment(eva, id, 'Sí', { replyTo: 1, replyExcerpt: '' });
    assert.deepEqual([withoutExcerpt.replyAutor, withoutExcerpt.replyExcerpt], ['Ana', '']);
    assert.equal((await read(1)).replyCount, 2);
    const none = await forum().comment(eva, id, 'Aparte', { replyTo: null });
    assert.deepEqual([none.replyTo, none.replyAutor], [null, '']);
  });

  test('rejects a reply to a number that the channel has not had, and counts nothing', async () => {
    const { ana, id } = await setUp(forum());
    const other = await forum().channel(ana);
    await forum().comment(ana, other._id, 'En otro canal');
    for (const replyTo of [0, -1, 3, 4, 99, 0x7fffffff, 0x80000000, 1e300]) {
      await expectRejected(forum(), ana, { id, comment: 'Hola', replyTo }, 'replyTo');
    }
    for (const replyTo of ['1', 1.5, true, {}, [1]]) {
      const body = { id, comment: 'Hola', replyTo };
      await expectProblem(await send(forum(), ana, body), 400, 'invalid_fields');
    }
    await expectRejected(forum(), ana, { id: other._id, comment: 'Hola', replyTo: 2 }, 'replyTo');
    const next = await forum().comment(ana, id, 'Sigue');
    assert.equal(next.number, 3);
  });

  test('rejects an excerpt that does not occur in the comment, or without a comment', async () => {
    const { ana, id, read } = await setUp(forum());
    for (const replyExcerpt of [
      'abren a las seis',
      'ABREN',
      'El jueves  abren',
      '%',
      '_',
      'x'.repeat(301),
      '\ud800',
    ]) {
      const body = { id, comment: 'Hola', replyTo: 1, replyExcerpt };
      await expectRejected(forum(), ana, body, 'replyExcerpt');
    }
    const alone = { id, comment: 'Hola', replyExcerpt: 'abren' };
    await expectRejected(forum(), ana, alone, 'replyExcerpt');
    assert.equal((await read(1)).replyCount, 0);
  });

  test('accepts an excerpt in any normal form of the text', async () => {
    const { ana, id } = await setUp(forum());
    const decomposed = await forum().comment(ana, id, 'El cafe\u0301 de an\u0303o');
    const more = { replyTo: decomposed.number, replyExcerpt: 'cafe\u0301 de an\u0303o' };
    const reply = await forum().comment(ana, id, 'Sí', more);
    assert.equal(reply.replyExcerpt, 'café de año');
  });

  test('accepts a reply to a comment that was hidden meanwhile, without its excerpt', async () => {
    const { ana, id, read } = await setUp(forum());
    await operate(forum(), 'hide', commentId(id, 1));
    const more = { replyTo: 1, replyExcerpt: 'abren' };
    const reply = await forum().comment(ana, id, 'Voy', more);
    assert.deepEqual([reply.replyTo, reply.replyAutor, reply.replyExcerpt], [1, '', '']);
    await operate(forum(), 'show', commentId(id, 1));
    const restored = await read(3);
    assert.deepEqual(
      [restored.replyTo, restored.replyAutor, restored.replyExcerpt],
      [1, 'Ana', ''],
    );
    assert.equal((await read(1)).replyCount, 1);
  });

  test('hides author and excerpt while the comment is hidden, and shows them again afterwards', async () => {
    const { ana, id, read } = await setUp(forum());
    const more = { replyTo: 1, replyExcerpt: 'abren' };
    const reply = await forum().comment(ana, id, 'Voy', more);
    await operate(forum(), 'hide', commentId(id, 1));
    const hidden = await read(3);
    assert.deepEqual([hidden.replyTo, hidden.replyAutor, hidden.replyExcerpt], [1, '', '']);
    await operate(forum(), 'show', commentId(id, 1));
    assert.deepEqual(await read(3), reply);
  });

  test('shows an excerpt only while it occurs in the comment as it now reads', async () => {
    const { ana, id, read } = await setUp(forum());
    await forum().comment(ana, id, 'Voy', { replyTo: 1, replyExcerpt: 'abren' });
    const edit = async (text: string, revision: number) => {
      await forum()
        .services.db.updateTable('comments')
        .set({ text: toStoredText(text), revision })
        .where('channel_id', '=', id)
        .where('number', '=', 1)
        .execute();
      forum().services.responses.clear();
    };
    await edit('El jueves abren a las seis', 2);
    assert.equal((await read(3)).replyExcerpt, 'abren');
    await edit('Cierran', 3);
    const changed = await read(3);
    assert.deepEqual([changed.replyAutor, changed.replyExcerpt], ['Ana', '']);
    await edit('Sí abren', 4);
    assert.equal((await read(3)).replyExcerpt, 'abren');
  });

  test('lists the replies to a comment in pages', async () => {
    const { ana, id } = await setUp(forum());
    for (const replyTo of [1, 2, 1, 1, null]) {
      await forum().comment(ana, id, `A ${replyTo}`, { replyTo });
    }
    const url = (query: Record<string, string | number>, number: number | string = 1) =>
      withQuery(apiRoutes.replies(id, number), query);
    const first = await forum().json<CommentPage>('GET', url({ limit: 2 }));
    assert.deepEqual(
      first.data.map(({ number }) => number),
      [3, 5],
    );
    assert.deepEqual(Object.keys(first), ['data', 'next']);
    const second = await forum().json<CommentPage>(
      'GET',
      url({ limit: 2, after: first.next ?? '' }),
    );
    assert.deepEqual(
      second.data.map(({ number }) => number),
      [6],
    );
    assert.equal(second.next, null);
    assert.deepEqual((await forum().json<CommentPage>('GET', url({}, 7))).data, []);
    await expectProblem(await forum().call('GET', url({}, 8)), 404, 'comment_not_found');
    await expectProblem(await forum().call('GET', url({ after: 'x' })), 400, 'invalid_cursor');
    for (const number of ['0', '-1', 'x', '2147483648']) {
      assert.equal((await forum().call('GET', url({}, number))).status, 404, number);
    }
    const unknown = apiRoutes.replies('nada', 1);
    await expectProblem(await forum().call('GET', unknown), 404, 'comment_not_found');
  });

  test('counts concurrent replies to one comment, each once', async () => {
    const { ana, id, read } = await setUp(forum());
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => forum().comment(ana, id, `n.º ${i}`, { replyTo: 1 })),
    );
    assert.equal((await read(1)).replyCount, 20);
  });

  test('a repeated request counts its reply once, and returns the same comment', async () => {
    const { ana, id, read } = await setUp(forum());
    const headers = { 'idempotency-key': randomUUID() };
    const body = { id, comment: 'Voy', replyTo: 1, replyExcerpt: 'abren' };
    const put = () => forum().call('PUT', apiRoutes.comment, { token: ana.token, headers, body });
    const first = await (await put()).json();
    assert.deepEqual(await (await put()).json(), first);
    assert.equal((await read(1)).replyCount, 1);
    await operate(forum(), 'hide', commentId(id, 3));
    await expectProblem(await put(), 410, 'gone');
  });

  test('rejects comments on a closed channel, and leaves the channel unchanged', async () => {
    const { ana, id } = await setUp(forum());
    const channels = () =>
      forum().services.db.selectFrom('channels').selectAll().where('id', '=', id).execute();
    await forum()
      .services.db.updateTable('channels')
      .set({ closed_at_ms: Date.now() })
      .where('id', '=', id)
      .execute();
    const before = await channels();
    await expectProblem(
      await send(forum(), ana, { id, comment: 'Hola', replyTo: 1 }),
      409,
      'channel_closed',
    );
    assert.deepEqual(await channels(), before);
  });
});
