import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { withQuery } from '../../../shared/routes.ts';

describe('the orders of channels', () => {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  let forum: Forum;
  let author: Person;
  before(async () => {
    forum = await Forum.start('sqlite', {}, { now: () => clock.nowMs });
    author = await forum.person();
  });
  after(() => forum?.stop());

  test('lists channels by comments, by their latest comment or by age, in pages', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      clock.nowMs += 1000;
      ids.push((await forum.channel(author, name))._id);
    }
    // The last two comments are written in the same millisecond, so their channels are ordered by id.
    for (const index of [1, 1, 0, 3]) {
      if (index !== 3) clock.nowMs += 1000;
      await forum.comment(author, ids[index] ?? '', 'Hola');
    }
    const byComments = ['b', 'd', 'a', 'e', 'c'];
    for (const [sort, expected] of [
      [null, byComments],
      ['comments', byComments],
      ['activity', ['d', 'a', 'b', 'e', 'c']],
      ['new', ['e', 'd', 'c', 'b', 'a']],
    ] as const) {
      const names: string[] = [];
      for (let after: string | null = null, page = 0; page < 3; page++) {
        const url: string = withQuery(apiRoutes.channels, { sort, limit: 2, comments: 0, after });
        const { data, next }: ChannelPage = await forum.json('GET', url);
        names.push(...data.map(({ name }) => name));
        after = next;
        assert.equal(next === null, page === 2, `${sort}, page ${page + 1}`);
      }
      assert.deepEqual(names, expected, `${sort}`);
    }
    const whole = await forum.json<ChannelPage>('GET', `${apiRoutes.channels}?sort=activity`);
    assert.equal(whole.data[0]?.lastCommentAt, new Date(clock.nowMs).toISOString());
    assert.equal(whole.data[3]?.lastCommentAt, null);
  });

  test('deleting or hiding the newest comment of a channel lowers its latest activity', async () => {
    const [{ _id: first }, { _id: second }] = [
      await forum.channel(author, 'a'),
      await forum.channel(author, 'b'),
    ];
    for (const id of [first, second, first]) {
      clock.nowMs += 1000;
      await forum.comment(author, id, 'Hola');
    }
    const order = async () => {
      const { data } = await forum.json<ChannelPage>('GET', `${apiRoutes.channels}?sort=activity`);
      return data
        .filter(({ _id }) => [first, second].includes(_id))
        .map(({ name, lastCommentAt }) => [name, lastCommentAt && Date.parse(lastCommentAt)]);
    };
    const at = (secondsAgo: number) => clock.nowMs - secondsAgo * 1000;
    const before = [
      ['a', at(0)],
      ['b', at(1)],
    ];
    const without = [
      ['b', at(1)],
      ['a', at(2)],
    ];
    assert.deepEqual(await order(), before);
    const { token } = author;
    const newest = apiRoutes.channelComment(first, 2);
    await forum.json('DELETE', newest, { token });
    assert.deepEqual(await order(), without);
    await forum.json('POST', apiRoutes.restoreComment(first, 2), { token });
    assert.deepEqual(await order(), before);
    await operate(forum, 'hide', commentId(first, 2));
    assert.deepEqual(await order(), without);
    await operate(forum, 'show', commentId(first, 2));
    assert.deepEqual(await order(), before);
    await operate(forum, 'erase', commentId(first, 2));
    await forum.json('DELETE', apiRoutes.channelComment(first, 1), { token });
    assert.deepEqual(await order(), [
      ['b', at(1)],
      ['a', null],
    ]);
  });

  test('rejects cursors of another order', async () => {
    await forum.channel(author, 'a');
    await forum.channel(author, 'b');
    const get = (query: Record<string, string | number>) =>
      forum.call('GET', withQuery(apiRoutes.channels, query));
    const orders = ['comments', 'activity', 'new'];
    for (const order of orders) {
      const page = (await (await get({ sort: order, limit: 1 })).json()) as ChannelPage;
      const after = page.next ?? '';
      assert.equal((await get({ sort: order, after })).status, 200, `${order}: ${after}`);
      for (const other of orders.filter((one) => one !== order)) {
        await expectProblem(await get({ sort: other, after }), 400, 'invalid_cursor');
      }
    }
  });
});
