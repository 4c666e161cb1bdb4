import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { hideContent, showContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment, CommentPage } from '../../../shared/comments.ts';
import { withQuery } from '../../../shared/routes.ts';

onEngine('sqlite', 'replies', (forum) => {
  /** Creates a channel with two comments by Ana. */
  async function setUp() {
    const ana = await forum().person('Ana');
    const { _id: id } = await forum().channel(ana);
    await forum().comment(ana, id, 'El jueves abren el cafe\u0301 a las cinco, ¿no?');
    await forum().comment(ana, id, 'Otra cosa');
    const read = async (number: number) =>
      (await forum().allComments(id)).find((one) => one.number === number) ?? assert.fail();
    const quoted = async (number: number) => {
      const { replyTo, replyAutor, replyExcerpt } = await read(number);
      return [replyTo, replyAutor, replyExcerpt];
    };
    return { ana, id, read, quoted };
  }

  test('show the author and an excerpt of the comment, which counts and lists them', async () => {
    const { ana, id, read } = await setUp();
    const eva = await forum().person('Eva');
    const more = { replyTo: 1, replyExcerpt: ' abren el cafe\u0301 ' };
    const reply = await forum().comment(eva, id, 'A las seis', more);
    assert.deepEqual(
      [reply.replyTo, reply.replyAutor, reply.replyExcerpt],
      [1, 'Ana', 'abren el café'],
    );
    assert.deepEqual(await read(3), reply);
    const plain = await forum().comment(eva, id, 'Sí', { replyTo: 1, replyExcerpt: '' });
    assert.deepEqual([plain.replyAutor, plain.replyExcerpt], ['Ana', '']);
    const none = await forum().comment(eva, id, 'Aparte', { replyTo: null });
    assert.deepEqual([none.replyTo, none.replyAutor], [null, '']);
    await forum().comment(ana, id, 'A otra', { replyTo: 2 });
    await forum().comment(ana, id, 'Vale', { replyTo: 1 });
    assert.equal((await read(1)).replyCount, 3);
    const elsewhere = await forum().channel(ana, 'Otro');
    await forum().comment(ana, elsewhere._id, 'Hola');
    await forum().comment(ana, elsewhere._id, 'En otro canal', { replyTo: 1 });

    const list = (query: Record<string, string | number>, number = 1) =>
      forum().json<CommentPage>('GET', withQuery(apiRoutes.replies(id, number), query));
    const numbers = ({ data }: CommentPage) => data.map(({ number }) => number);
    const first = await list({ limit: 2 });
    assert.deepEqual(
      [numbers(first), Object.keys(first)],
      [
        [3, 4],
        ['data', 'next'],
      ],
    );
    const second = await list({ limit: 2, after: first.next ?? '' });
    assert.deepEqual([numbers(second), second.next], [[7], null]);
    assert.deepEqual((await list({}, 7)).data, []);
  });

  test('are refused to a number that the channel has not had, or with an excerpt that the comment lacks, and count nothing', async () => {
    const { ana, id, read } = await setUp();
    const rejects = async (body: object, field: string) => {
      const response = await forum().call('PUT', apiRoutes.comment, {
        ...{ token: ana.token, body: { id, comment: 'Hola', ...body } },
      });
      const { errors } = await expectProblem(response, 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map((error) => error.field),
        [field],
      );
    };
    // The comment itself would have number 3.
    for (const replyTo of [0, -1, 3, 99, 0x7fffffff, 0x80000000, 1e300])
      await rejects({ replyTo }, 'replyTo');
    for (const replyExcerpt of ['abren a', 'ABREN', 'El  jueves', '%', 'x'.repeat(301), '\ud800'])
      await rejects({ replyTo: 1, replyExcerpt }, 'replyExcerpt');
    await rejects({ replyExcerpt: 'abren' }, 'replyExcerpt');
    assert.equal((await read(1)).replyCount, 0);
    assert.equal((await forum().comment(ana, id, 'Sigue', { replyTo: 2 })).number, 3);
  });

  test('show neither author nor excerpt while the comment is hidden, and never an excerpt that was written then', async () => {
    const { ana, id, read, quoted } = await setUp();
    const first = commentId(id, 1);
    const reply = { replyTo: 1, replyExcerpt: 'abren' };
    await forum().comment(ana, id, 'Voy', reply);
    await hideContent(forum(), first);
    assert.deepEqual(await quoted(3), [1, '', '']);
    const late = await forum().comment(ana, id, 'También', reply);
    assert.deepEqual([late.replyTo, late.replyAutor, late.replyExcerpt], [1, '', '']);
    await showContent(forum(), first);
    assert.deepEqual(await quoted(3), [1, 'Ana', 'abren']);
    assert.deepEqual(await quoted(4), [1, 'Ana', '']);
    assert.equal((await read(1)).replyCount, 2);
  });

  test('show an excerpt only while it occurs in the comment as it now reads', async () => {
    const { ana, id, quoted } = await setUp();
    await forum().comment(ana, id, 'Voy', { replyTo: 1, replyExcerpt: 'abren' });
    for (const [revision, comment, excerpt] of [
      [1, 'El jueves abren a las seis', 'abren'],
      [2, 'Cierran', ''],
      [3, 'Sí abren', 'abren'],
    ] as const) {
      const headers = { 'if-match': `"${revision}"` };
      const edit = { token: ana.token, headers, body: { comment } };
      await forum().json<Comment>('PATCH', apiRoutes.channelComment(id, 1), edit);
      assert.deepEqual(await quoted(3), [1, 'Ana', excerpt]);
    }
  });
});
