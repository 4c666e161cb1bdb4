import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { News } from '../../../shared/people.ts';

onBothEngines('reading positions', (forum, _wait, engine) => {
  const put = ({ token }: Person, body: unknown) =>
    forum().call('PUT', apiRoutes.reads, { token, body });
  const read = async (person: Person, body: unknown) =>
    assert.equal((await put(person, body)).status, 204);
  const news = ({ token }: Person, ids: string[]) =>
    forum().json<News>('GET', `${apiRoutes.news}?channels=${ids.join(',')}`, { token });
  /** Creates a channel with this many comments by its author. */
  const channelOf = async (author: Person, comments: number) => {
    const { _id } = await forum().channel(author);
    for (let i = 0; i < comments; i++) await forum().comment(author, _id, `Comentario ${i + 1}`);
    return _id;
  };

  test('ignores a smaller number, and treats one beyond the newest comment as the newest', async () => {
    const author = await forum().person();
    const id = await channelOf(author, 2);
    const position = async () => (await news(author, [id])).reads[id]?.number;
    await read(author, { channelId: id, number: 1e300 });
    assert.equal(await position(), 2);
    await read(author, { channelId: id, number: 1 });
    assert.equal(await position(), 2);
    await forum().comment(author, id, 'Tres');
    assert.equal(await position(), 2);
    await read(author, [
      { channelId: id, number: 3 },
      { channelId: id, number: 0 },
    ]);
    assert.equal(await position(), 3);
  });

  test('keeps the highest number that two devices send at once, in any order', async () => {
    const author = await forum().person();
    const ids = await Promise.all([1, 2, 3].map(() => channelOf(author, 12)));
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
    await Promise.all(
      numbers.flatMap((number) => [
        read(
          author,
          ids.map((channelId) => ({ channelId, number })),
        ),
        read(
          author,
          ids.toReversed().map((channelId) => ({ channelId, number: 13 - number })),
        ),
      ]),
    );
    const { reads } = await news(author, ids);
    assert.deepEqual(
      ids.map((id) => reads[id]?.number),
      [12, 12, 12],
    );
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('counts the comments of others above the position, and none in channels never visited', async () => {
    const author = await forum().person();
    const reader = await forum().person();
    const visited = await channelOf(author, 3);
    const other = await channelOf(author, 3);
    assert.deepEqual(await news(reader, [visited, other]), {
      role: 'member',
      unreadNotifications: 0,
      pendingModeration: 0,
      reads: {},
      restriction: null,
    });
    await read(reader, { channelId: visited, number: 1 });
    assert.deepEqual((await news(reader, [visited, other])).reads, {
      [visited]: { number: 1, unread: 2, level: 'mine' },
    });
    await forum().comment(reader, visited, 'Mío');
    assert.equal((await news(reader, [visited])).reads[visited]?.unread, 2);
    await forum().comment(author, visited, 'Otro');
    assert.equal((await news(reader, [visited])).reads[visited]?.unread, 3);
    assert.deepEqual((await news(author, [visited])).reads, {});
  });

  test('counts neither hidden comments nor hidden channels', async () => {
    const author = await forum().person();
    const reader = await forum().person();
    const id = await channelOf(author, 3);
    await read(reader, { channelId: id, number: 0 });
    await operate(forum(), 'hide', commentId(id, 2));
    assert.deepEqual((await news(reader, [id])).reads, {
      [id]: { number: 0, unread: 2, level: 'mine' },
    });
    await operate(forum(), 'hide', id);
    assert.deepEqual((await news(reader, [id])).reads, {});
    await read(reader, { channelId: id, number: 3 });
    await operate(forum(), 'show', id);
    assert.equal((await news(reader, [id])).reads[id]?.number, 0);
  });

  test('ignores channels that do not exist, and stores the other positions', async () => {
    const author = await forum().person();
    const id = await channelOf(author, 1);
    const unknown = ['', 'nada', "' or 1=1", '\ud800', '00000000-0000-7000-8000-000000000000'];
    await read(
      author,
      unknown.map((channelId) => ({ channelId, number: 1 })),
    );
    await read(author, { channelId: 'nada', number: 1 });
    await read(
      author,
      [...unknown, id].map((channelId) => ({ channelId, number: 1 })),
    );
    const { reads } = await news(author, ['nada', '', "'", id]);
    assert.deepEqual(reads, { [id]: { number: 1, unread: 0, level: 'mine' } });
  });

  test('accepts a hundred positions or none, and a request for news of no channel', async () => {
    const author = await forum().person();
    const id = await channelOf(author, 1);
    const many = (count: number) =>
      Array.from({ length: count }, (_, number) => ({ channelId: id, number }));
    await read(author, many(limits.readsPerRequest));
    await read(author, []);
    const { token } = author;
    const none = await forum().json<News>('GET', apiRoutes.news, { token });
    assert.deepEqual(none.reads, {});
  });

  test('counts up to one comment more than is shown', async () => {
    const author = await forum().person();
    const reader = await forum().person();
    const id = await channelOf(author, limits.unreadCount + 5);
    await read(reader, { channelId: id, number: 5 });
    assert.equal((await news(reader, [id])).reads[id]?.unread, limits.unreadCount);
    await read(reader, { channelId: id, number: 3 });
    await forum().comment(author, id, 'Uno más');
    assert.equal((await news(reader, [id])).reads[id]?.unread, limits.unreadCount + 1);
    await forum().comment(author, id, 'Y otro');
    assert.equal((await news(reader, [id])).reads[id]?.unread, limits.unreadCount + 1);
  });

  test('rejects levels of unknown channels, and unknown levels', async () => {
    const person = await forum().person();
    const { token } = person;
    const { _id } = await forum().channel(person);
    const setLevel = (channelId: string, level: unknown) =>
      forum().call('PUT', apiRoutes.level(channelId), { token, body: { level } });
    for (const unknown of ['nada', '00000000-0000-7000-8000-000000000000'])
      await expectProblem(await setLevel(unknown, 'all'), 404, 'channel_not_found');
    for (const wrong of ['todo', null, 1])
      await expectProblem(await setLevel(_id, wrong), 400, 'invalid_fields');
  });
});
