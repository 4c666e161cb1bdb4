import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { MyThanks, ThankedComments } from '../../../shared/comments.ts';
import type { Thankful } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';

onBothEngines('thanks', (forum, _wait, engine) => {
  const send = (
    method: 'PUT' | 'DELETE',
    { token }: Person,
    { _id }: Channel,
    number: number | string,
  ) => forum().call(method, apiRoutes.thanks(_id, number), { token });
  const thanked = ({ token }: Person, { _id }: Channel, query: object) =>
    forum().call('GET', withQuery(apiRoutes.thanked(_id), { ...query }), { token });
  const countOf = async ({ _id }: Channel) =>
    (await forum().allComments(_id)).map(({ thanks }) => thanks.count);

  async function filled(): Promise<[Person, Channel, Person]> {
    const author = await forum().person('Ana');
    const channel = await forum().channel(author);
    for (const text of ['uno', 'dos']) await forum().comment(author, channel._id, text);
    return [author, channel, await forum().person('Berta')];
  }

  test('concurrent thanks by many people, each sent twice, are counted once each', async () => {
    const [, channel] = await filled();
    const people = await Promise.all(Array.from({ length: 5 }, () => forum().person()));
    const sent = [...people, ...people].map((person) => send('PUT', person, channel, 1));
    for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
    assert.deepEqual(await countOf(channel), [5, 0]);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('thanks are counted once per person, however often they are given or withdrawn', async () => {
    const [, channel, person] = await filled();
    const other = await forum().person('Carla');
    assert.deepEqual(await countOf(channel), [0, 0]);
    for (const [who, method, expected] of [
      [person, 'PUT', { count: 1, mine: true }],
      [person, 'PUT', { count: 1, mine: true }],
      [other, 'PUT', { count: 2, mine: true }],
      [person, 'DELETE', { count: 1, mine: false }],
      [person, 'DELETE', { count: 1, mine: false }],
    ] as const) {
      const response = await send(method, who, channel, 1);
      assert.equal(response.status, 200);
      assert.deepEqual((await response.json()) as MyThanks, expected);
    }
    assert.deepEqual(await countOf(channel), [1, 0]);
  });

  test('nobody can thank themselves, or give thanks for a deleted, hidden or unknown comment', async () => {
    const [author, channel, person] = await filled();
    const own = await expectProblem(await send('PUT', author, channel, 1), 403, 'not_yours');
    assert.match(own.detail, /es tuyo/);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), author);
    await operate(forum(), 'hide', `${channel._id}-2`);
    for (const number of [1, 2, 3, '0', 'x', '2147483648']) {
      for (const method of ['PUT', 'DELETE'] as const) {
        const response = await send(method, person, channel, number);
        await expectProblem(response, 404, 'comment_not_found');
      }
    }
    const unknown = await send('PUT', person, { ...channel, _id: 'nada' }, 1);
    await expectProblem(unknown, 404, 'channel_not_found');
  });

  test('lists the comments of a range that the caller gave thanks for', async () => {
    const [author, channel, person] = await filled();
    for (let i = 0; i < 3; i++) await forum().comment(author, channel._id, 'más');
    for (const number of [1, 3, 4]) await send('PUT', person, channel, number);
    const read = async (who: Person, from: number, to: number) =>
      ((await (await thanked(who, channel, { from, to })).json()) as ThankedComments).data;
    assert.deepEqual(await read(person, 1, 5), [1, 3, 4]);
    assert.deepEqual(await read(person, 2, 3), [3]);
    assert.deepEqual(await read(person, 5, 2147483647), []);
    assert.deepEqual(await read(author, 1, 5), []);
    await forum().json('POST', apiRoutes.signOut, { token: person.token });
    await expectProblem(await thanked(person, channel, { from: 1, to: 2 }), 401, 'not_signed_in');
  });

  test('everyone can list who gave thanks for a comment, newest first, page by page', async () => {
    const [, channel, person] = await filled();
    const people = [person];
    for (const name of ['Carla', 'Dora', 'Eva']) people.push(await forum().person(name));
    const url = apiRoutes.thanks(channel._id, 1);
    const read = (query: { limit?: number; after?: string | null } = {}) =>
      forum().json<{ data: Thankful[]; next: string | null }>('GET', withQuery(url, query));
    assert.deepEqual(await read(), { data: [], next: null });
    for (const one of people) await send('PUT', one, channel, 1);
    const expected = people.map(({ id, name, img }) => ({ id, name, img: img ?? '' })).reverse();
    assert.deepEqual(await read(), { data: expected, next: null });

    const first = await read({ limit: 3 });
    assert.deepEqual(first.data, expected.slice(0, 3));
    assert.deepEqual(await read({ limit: 3, after: first.next }), {
      data: expected.slice(3),
      next: null,
    });
    await send('DELETE', person, channel, 1);
    assert.deepEqual((await read()).data, expected.slice(0, 3));
    assert.deepEqual((await read({ limit: 3, after: first.next })).data, []);
  });

  test('does not list who gave thanks for a deleted, hidden or unknown comment', async () => {
    const [author, channel, person] = await filled();
    for (const number of [1, 2]) await send('PUT', person, channel, number);
    const get = (number: number | string, query = '') =>
      forum().call('GET', apiRoutes.thanks(channel._id, number) + query);
    assert.equal((await get(2)).status, 200);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), author);
    await operate(forum(), 'hide', `${channel._id}-2`);
    for (const number of [1, 2, 3, '0', 'x', '2147483648']) {
      await expectProblem(await get(number), 404, 'comment_not_found');
    }
  });
});
