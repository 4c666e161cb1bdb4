import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { Comment, type CommentPage } from '../../../shared/comments.ts';
import { withQuery } from '../../../shared/routes.ts';

onBothEngines('comments', (forum, _wait, engine) => {
  test('numbers concurrent comments without gaps or duplicates and counts them all', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const comments = await Promise.all(
      Array.from({ length: 40 }, (_, i) => forum().comment(author, channel._id, `n.º ${i}`)),
    );
    const numbers = comments.map(({ id }) => Number(id.slice(channel._id.length + 1)));
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    const read = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.equal(read.commentCount, 40);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('stores a comment of the signed-in account, returns it and counts it', async () => {
    const author = await forum().person('Noa');
    const channel = await forum().channel(author);
    const comment = await forum().comment(author, channel._id, ' La primera\nlínea 😄 ');
    const { autorRole, ...properties } = Comment.properties;
    assert.ok(autorRole);
    assert.deepEqual(Object.keys(comment), Object.keys(properties));
    assert.equal(comment.comment, 'La primera\nlínea 😄');
    assert.equal(comment.autor, 'Noa');
    assert.equal(comment.channelId, channel._id);
    const read = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.equal(read.commentCount, 1);
    assert.deepEqual(read.comments, [comment]);
  });

  test('ignores the author’s name and rejects another author’s id in the body of a comment', async () => {
    const author = await forum().person('Noa');
    const channel = await forum().channel(author);
    const send = (body: object) =>
      forum().call('PUT', apiRoutes.comment, {
        token: author.token,
        body: { id: channel._id, comment: 'Hola', ...body },
      });
    const accepted = await send({ autor: 'Otra', autorImg: 'javascript:alert(1)' });
    assert.equal(((await accepted.json()) as { autor: string }).autor, 'Noa');
    await expectProblem(await send({ autorId: 'otra' }), 403, 'not_yours');
  });

  test('accepts a comment of 10,000 four-byte characters', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const comment = await forum().comment(author, channel._id, '🦖'.repeat(10_000));
    assert.equal([...comment.comment].length, 10_000);
  });

  test('responds 404 to a comment on an unknown channel', async () => {
    const author = await forum().person();
    const response = await forum().call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: 'nada', comment: 'Hola' },
    });
    await expectProblem(response, 404, 'channel_not_found');
  });

  test('lists comments oldest first, in pages without gaps or overlaps', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (let i = 1; i <= 7; i++) await forum().comment(author, channel._id, String(i));
    const texts: string[] = [];
    let after = '';
    for (let page = 0; page < 5; page++) {
      const { data, next } = await forum().json<CommentPage>(
        'GET',
        `${apiRoutes.channelComments(channel._id)}?limit=3${after}`,
      );
      texts.push(...data.map(({ comment }) => comment));
      if (next === null) break;
      assert.equal(next, data.at(-1)?.id);
      after = `&after=${next}`;
    }
    assert.deepEqual(texts, ['1', '2', '3', '4', '5', '6', '7']);
  });

  test('responds 404 for the comments of an unknown channel', async () => {
    for (const query of [{}, { around: 1 }]) {
      const url = withQuery(apiRoutes.channelComments('nada'), query);
      await expectProblem(await forum().call('GET', url), 404, 'channel_not_found');
    }
  });

  test('embeds the oldest comments in a channel, as many as requested', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (let i = 1; i <= 4; i++) await forum().comment(author, channel._id, String(i));
    const texts = async (query: string) =>
      (
        await forum().json<Channel>('GET', `${apiRoutes.channel(channel._id)}${query}`)
      ).comments.map(({ comment }) => comment);
    assert.deepEqual(await texts('?comments=2'), ['1', '2']);
    assert.deepEqual(await texts('?comments=0'), []);
    assert.deepEqual(await texts(''), ['1', '2', '3', '4']);
  });
});
