import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countTurns } from '../../../../test/count-turns.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { hideContent, showContent } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { withQuery } from '../../../shared/routes.ts';
import { listHomeChannels } from './channel-queries.ts';

describe('lists of channels', () => {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  let forum: Forum;
  let author: Person;
  before(async () => {
    forum = await Forum.start('sqlite', {}, { now: () => clock.nowMs });
    author = await forum.person();
  });
  after(() => forum?.stop());

  const urlOf = (query: Record<string, string | number | null>) =>
    withQuery(apiRoutes.channels, query);

  test('are ordered by comments, by their latest comment or by age, in pages with cursors of their own', async () => {
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
    const orders = ['comments', 'activity', 'new'];
    const byComments = ['b', 'd', 'a', 'e', 'c'];
    for (const [sort, expected] of [
      [null, byComments],
      ['comments', byComments],
      ['activity', ['d', 'a', 'b', 'e', 'c']],
      ['new', ['e', 'd', 'c', 'b', 'a']],
    ] as const) {
      const names: string[] = [];
      for (let after: string | null = null, page = 0; page < 3; page++) {
        const { data, next }: ChannelPage = await forum.json(
          'GET',
          urlOf({ sort, limit: 2, after }),
        );
        names.push(...data.map(({ name }) => name));
        after = next;
        assert.equal(next === null, page === 2, `${sort}, page ${page + 1}`);
        for (const other of orders.filter((one) => next && one !== (sort ?? 'comments'))) {
          const refused = await forum.call('GET', urlOf({ sort: other, after }));
          await expectProblem(refused, 400, 'invalid_cursor');
        }
      }
      assert.deepEqual(names, expected, `${sort}`);
    }
    assert.equal((await forum.json<ChannelPage>('GET', urlOf({ limit: 5 }))).next, null);
    const whole = await forum.json<ChannelPage>('GET', urlOf({ sort: 'activity' }));
    assert.equal(whole.data[0]?.lastCommentAt, new Date(clock.nowMs).toISOString());
    assert.equal(whole.data[3]?.lastCommentAt, null);
  });

  test('deleting or hiding the newest comment of a channel lowers its latest activity', async () => {
    const first = (await forum.channel(author, 'a'))._id;
    const second = (await forum.channel(author, 'b'))._id;
    for (const id of [first, second, first]) {
      clock.nowMs += 1000;
      await forum.comment(author, id, 'Hola');
    }
    const order = async () => {
      const { data } = await forum.json<ChannelPage>('GET', urlOf({ sort: 'activity' }));
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
    const newest = commentId(first, 2);
    for (const [change, expected] of [
      [() => forum.json('DELETE', apiRoutes.channelComment(first, 2), author), without],
      [() => forum.json('POST', apiRoutes.restoreComment(first, 2), author), before],
      [() => hideContent(forum, newest), without],
      [() => showContent(forum, newest), before],
      [() => operate(forum, 'erase', newest), without],
    ] as const) {
      await change();
      assert.deepEqual(await order(), expected);
    }
    await forum.json('DELETE', apiRoutes.channelComment(first, 1), author);
    assert.deepEqual(await order(), [
      ['b', at(1)],
      ['a', null],
    ]);
  });

  test('share 500 comments among the channels, and show the oldest ones of each', async () => {
    await using forum = await Forum.start('sqlite');
    const author = await forum.person();
    let id = '';
    for (let index = 0; index < 40; index++) {
      ({ _id: id } = await forum.channel(author));
      await insertComments(forum, id, author.id, index === 0 ? 2 : 50);
    }
    const numbersOf = ({ comments }: Channel) => comments.map(({ number }) => number);
    const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    // 500 comments divided by 40 channels.
    const few = [...Array(39).fill(first(12)), first(2)];
    for (const [query, expected] of [
      ['', few],
      ['?comments=13', few],
      ['?limit=11', Array(11).fill(first(45))],
      ['?comments=1', Array(40).fill(first(1))],
    ] as const) {
      const { data } = await forum.json<ChannelPage>('GET', apiRoutes.channels + query);
      assert.deepEqual(data.map(numbersOf), expected, query);
    }
    for (const [query, count] of [
      ['', 50],
      ['?comments=2', 2],
      ['?comments=0', 0],
    ] as const) {
      const channel = await forum.json<Channel>('GET', apiRoutes.channel(id) + query);
      assert.deepEqual(numbersOf(channel), first(count), query);
    }
  });

  test('are read in pieces, between which other requests are served', async () => {
    await using forum = await Forum.start('sqlite');
    const author = await forum.person();
    for (let index = 0; index < 41; index++) await forum.channel(author);
    const { db } = forum.services;
    const all = { order: 'comments', limit: 100, embed: 5 } as const;
    const turns = await countTurns(() => listHomeChannels(db, all, Date.now()));
    assert.ok(turns >= 2, `${turns} turns of the event loop`);
  });
});
