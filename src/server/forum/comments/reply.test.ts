import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';

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

  test('show the author and the beginning of the comment, which counts and lists them', async () => {
    const { ana, id, read } = await setUp();
    const eva = await forum().person('Eva');
    const reply = await forum().comment(eva, id, 'A las seis', { replyTo: 1 });
    assert.deepEqual(
      [reply.replyTo, reply.replyAutor, reply.replyExcerpt],
      [1, 'Ana', 'El jueves abren el café a las cinco, ¿no?'],
    );
    assert.deepEqual(await read(3), reply);
    await forum().comment(eva, id, 'Sí', { replyTo: 1 });
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

  test('are refused to a number that the channel has not had, and count nothing', async () => {
    const { ana, id, read } = await setUp();
    const rejects = async (body: object, field: string) => {
      const response = await forum().call('PUT', apiRoutes.comment, {
        token: ana.token,
        body: { id, comment: 'Hola', ...body },
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
    assert.equal((await read(1)).replyCount, 0);
    assert.equal((await forum().comment(ana, id, 'Sigue', { replyTo: 2 })).number, 3);
  });

  test('take no excerpt from a request, whatever it is', async () => {
    const { ana, id, quoted } = await setUp();
    const sent = ['Nunca dicho', 'x'.repeat(301), '\ud800', 7, null, { a: 1 }];
    for (const [index, replyExcerpt] of sent.entries()) {
      await forum().comment(ana, id, 'Sí', { replyTo: 2, replyExcerpt });
      assert.deepEqual(await quoted(3 + index), [2, 'Ana', 'Otra cosa']);
    }
    const plain = await forum().comment(ana, id, 'Aparte', { replyExcerpt: 'abren' });
    assert.deepEqual([plain.replyTo, plain.replyExcerpt], [null, '']);
  });

  test('show some hundred characters on one line, without what the comment quotes and with names in place of mentions', async () => {
    const { ana, id, quoted } = await setUp();
    const at = [{ start: 91, length: 4, accountId: ana.id }];
    for (const [text, excerpt, mentions = []] of [
      ['a'.repeat(100), 'a'.repeat(100)],
      ['🍅'.repeat(101), `${'🍅'.repeat(100)}…`],
      ['> ¿Vienes?\n> Di algo\n\nClaro\n\nque sí', 'Claro que sí'],
      [`> ${'b'.repeat(2000)}\nNo`, 'No'],
      ['> ¿Vienes?', '¿Vienes?'],
      [`${'c'.repeat(90)} @Ana, hola y más`, `${'c'.repeat(90)} @Ana,…`, at],
    ] as [string, string, typeof at?][]) {
      const { number } = await forum().comment(ana, id, text, { mentions });
      await forum().comment(ana, id, 'Sí', { replyTo: number });
      assert.deepEqual(await quoted(number + 1), [number, 'Ana', excerpt]);
    }
  });

  test('show the comment as it now reads, and nothing of it while it is deleted; open pages are told to ask again', async () => {
    const { ana, id, quoted } = await setUp();
    const { token } = ana;
    await forum().comment(ana, id, 'Voy', { replyTo: 1 });
    const page = async () => (await forum().call('GET', pageRoutes.channel(id))).text();
    assert.ok((await page()).includes('<q>El jueves abren'));
    const reader = await LiveReader.open(forum(), id);
    await forum().edit(ana, id, 1, 'Cierran');
    await reader.untilChanged({ numbers: [1] });
    assert.deepEqual(await quoted(3), [1, 'Ana', 'Cierran']);
    assert.ok((await page()).includes('<q>Cierran</q>'));
    const url = apiRoutes.channelComment(id, 1);
    await forum().json('DELETE', url, { token });
    await reader.untilChanged({ numbers: [1] });
    assert.deepEqual(await quoted(3), [1, '', '']);
    const late = await forum().comment(ana, id, 'También', { replyTo: 1 });
    assert.deepEqual([late.replyTo, late.replyAutor, late.replyExcerpt], [1, '', '']);
    await forum().json('POST', apiRoutes.restoreComment(id, 1), { token });
    for (const number of [3, 4]) assert.deepEqual(await quoted(number), [1, 'Ana', 'Cierran']);
    reader.close();
  });
});
