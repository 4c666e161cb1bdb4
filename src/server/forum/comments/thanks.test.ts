import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Mine } from '../../../shared/comments.ts';
import type { Thankful } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';

onEngine('sqlite', 'thanks', (forum) => {
  const send = (method: 'PUT' | 'DELETE', { token }: Person, { _id }: Channel, number: number) =>
    forum().call(method, apiRoutes.thanks(_id, number), { token });

  async function filled(): Promise<[Person, Channel, Person]> {
    const author = await forum().person('Ana');
    const channel = await forum().channel(author);
    for (const text of ['uno', 'dos']) await forum().comment(author, channel._id, text);
    return [author, channel, await forum().person('Berta')];
  }

  test('are counted once per person, however often they are given or withdrawn', async () => {
    const [, channel, person] = await filled();
    const other = await forum().person('Carla');
    for (const [who, method, expected] of [
      [person, 'PUT', { count: 1, mine: true }],
      [person, 'PUT', { count: 1, mine: true }],
      [other, 'PUT', { count: 2, mine: true }],
      [person, 'DELETE', { count: 1, mine: false }],
      [person, 'DELETE', { count: 1, mine: false }],
    ] as const) {
      const response = await send(method, who, channel, 1);
      assert.deepEqual([response.status, await response.json()], [200, expected]);
    }
    const comments = await forum().allComments(channel._id);
    assert.deepEqual(
      comments.map(({ thanks }) => thanks),
      [
        { count: 1, names: ['Carla'] },
        { count: 0, names: [] },
      ],
    );
  });

  test('are neither given for a comment of one’s own, nor given, withdrawn or listed for a deleted or hidden one', async () => {
    const [author, channel, person] = await filled();
    for (const number of [1, 2]) await send('PUT', person, channel, number);
    const own = await expectProblem(await send('PUT', author, channel, 1), 403, 'not_yours');
    assert.match(own.detail, /es tuyo/);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), author);
    await hideContent(forum(), `${channel._id}-2`);
    for (const number of [1, 2]) {
      for (const response of [
        await send('PUT', person, channel, number),
        await send('DELETE', person, channel, number),
        await forum().call('GET', apiRoutes.thanks(channel._id, number)),
      ])
        await expectProblem(response, 404, 'comment_not_found');
    }
  });

  test('tell their giver which comments of a range they were given for', async () => {
    const [author, channel, person] = await filled();
    const elsewhere = (await filled())[1];
    for (let i = 0; i < 3; i++) await forum().comment(author, channel._id, 'más');
    for (const number of [1, 3, 4]) await send('PUT', person, channel, number);
    await send('PUT', person, elsewhere, 2);
    const read = async ({ token }: Person, from: number, to: number) => {
      const url = withQuery(apiRoutes.mine(channel._id), { from, to });
      return (await forum().json<Mine>('GET', url, { token })).thanks;
    };
    assert.deepEqual(await read(person, 1, 5), [1, 3, 4]);
    assert.deepEqual(await read(person, 3, 4), [3, 4]);
    assert.deepEqual(await read(person, 2, 3), [3]);
    assert.deepEqual(await read(person, 5, 2147483647), []);
    assert.deepEqual(await read(author, 1, 5), []);
  });

  test('list for everyone who gave them, newest first, page by page', async () => {
    const [, channel, person] = await filled();
    const people = [person];
    for (const name of ['Carla', 'Dora', 'Eva']) people.push(await forum().person(name));
    const url = apiRoutes.thanks(channel._id, 1);
    const read = (query: { limit?: number; after?: string | null } = {}) =>
      forum().json<{ data: Thankful[]; next: string | null }>('GET', withQuery(url, query));
    assert.deepEqual(await read(), { data: [], next: null });
    for (const one of people) await send('PUT', one, channel, 1);
    const expected = people.map(({ id, name, img }) => ({ id, name, img: img ?? '' })).reverse();
    assert.deepEqual(await read({ limit: 4 }), { data: expected, next: null });
    const first = await read({ limit: 3 });
    assert.deepEqual(first.data, expected.slice(0, 3));
    const rest = await read({ limit: 3, after: first.next });
    assert.deepEqual(rest, { data: expected.slice(3), next: null });
    await send('DELETE', person, channel, 1);
    assert.deepEqual((await read({ limit: 3, after: first.next })).data, []);
  });
});
