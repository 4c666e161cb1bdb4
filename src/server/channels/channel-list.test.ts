import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ChannelPage } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { toStoredText } from '../database/stored-text.ts';

/** Adds 39 channels with fifty comments each, and one with two. */
async function fill({ deps: { db } }: Forum, authorId: string): Promise<void> {
  const account = { account_id: authorId, created_at_ms: Date.now() };
  for (let index = 0; index < 40; index++) {
    const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    const count = index === 0 ? 2 : 50;
    const numbers = { comment_count: count, last_comment_number: count };
    const texts = { name: 'Cine', description: 'De barrio', cover: '', cover_alt: '' };
    await db
      .insertInto('channels')
      .values({ id, ...account, ...texts, ...numbers })
      .execute();
    const comments = Array.from({ length: count }, (_, at) => {
      return { channel_id: id, number: at + 1, text: toStoredText('Hola'), ...account };
    });
    await db.insertInto('comments').values(comments).execute();
  }
}

for (const engine of engines) {
  test(`the list has all comments without parameters, and 500 evenly distributed ones with any (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    await fill(forum, (await forum.person()).id);
    const countsOf = async (query: string) => {
      const { data } = await forum.json<ChannelPage>('GET', apiRoutes.channels + query);
      for (const { comments } of data) {
        const inOrder = comments.map((_, index) => index + 1);
        assert.deepEqual(
          comments.map(({ number }) => number),
          inOrder,
        );
      }
      return data.map(({ comments }) => comments.length);
    };
    const bare = await countsOf('');
    assert.equal(bare.length, 40);
    assert.equal(bare.toSorted()[0], 2);
    assert.equal(
      bare.reduce((sum, count) => sum + count),
      39 * 50 + 2,
    );
    // The channel with two comments is the last of the list.
    const { data } = await forum.json<ChannelPage>('GET', `${apiRoutes.channels}?limit=2`);
    assert.deepEqual(
      data.map(({ comments }) => comments.length),
      [50, 50],
    );
    for (const query of ['?limit=100', '?comments=100', '?limit=100&comments=100', '?sort=new']) {
      const counts = await countsOf(query);
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        limits.listComments,
        query,
      );
      const shared = counts.filter((count) => count !== 2);
      assert.equal(counts.length - shared.length, 1);
      assert.ok(Math.max(...shared) - Math.min(...shared) <= 1, counts.join());
    }
    assert.deepEqual(await countsOf('?comments=1'), Array(40).fill(1));
  });
}

test('URLs that no page of the forum uses are not cached, and have a budget', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const { _id: id, autorId } = await forum.channel(await forum.person());
  let cached = 0;
  const { responses } = forum.deps;
  const get = responses.get.bind(responses);
  responses.get = (...given) => {
    cached++;
    return get(...given);
  };
  const usual = [
    apiRoutes.channels,
    `${apiRoutes.channels}?limit=${limits.channelsPerPage}&comments=0&sort=new`,
    `${apiRoutes.channel(id)}?comments=${limits.commentsPerPage}`,
    `${apiRoutes.channelComments(id)}?around=1&limit=${limits.commentsPerPage}`,
    pageRoutes.channel(id),
    pageRoutes.user(autorId),
  ];
  for (const [index, url] of usual.entries()) {
    assert.equal((await forum.call('GET', url)).status, 200);
    assert.equal(cached, index + 1, url);
  }
  const unusual = [
    `${apiRoutes.channels}?limit=7&comments=9`,
    `${apiRoutes.channels}?sort=new`,
    `${apiRoutes.channel(id)}?comments=9`,
    `${apiRoutes.channelComments(id)}?limit=9`,
    pageRoutes.channel(id).replace('-', '%2D'),
    pageRoutes.user(autorId).replace('-', '%2D'),
  ];
  for (let asked = 0; asked < 600; asked++) {
    const url = unusual[asked % unusual.length] ?? '';
    const answer = await forum.call('GET', url);
    assert.equal(answer.status, 200, url);
    await answer.arrayBuffer();
  }
  assert.equal(cached, usual.length);
  const refused = await forum.call('GET', unusual[0] ?? '');
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  await expectProblem(refused, 429, 'too_many_requests');
  for (const url of usual) assert.equal((await forum.call('GET', url)).status, 200);
});
