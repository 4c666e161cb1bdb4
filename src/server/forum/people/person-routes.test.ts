import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Person, PersonCommentPage } from '../../../shared/people.ts';
import { assetRoutes, withQuery } from '../../../shared/routes.ts';
import { toStoredText } from '../../database/stored-text.ts';

onBothEngines('people', (forum) => {
  const personOf = (id: string) => forum().json<Person>('GET', apiRoutes.user(id));
  const commentsOf = (id: string, query = {}) =>
    forum().json<PersonCommentPage>('GET', withQuery(apiRoutes.userComments(id), query));
  const texts = ({ data }: PersonCommentPage) => data.map(({ comment }) => comment.comment);

  test('returns name, avatar, sign-up date and number of visible channels of a person, and nothing else', async () => {
    const beganMs = Date.now();
    const ana = await forum().person('Ana');
    const before = await personOf(ana.id);
    assert.deepEqual(before, {
      id: ana.id,
      name: 'Ana',
      img: '/default-avatar.svg',
      createdAt: before.createdAt,
      channelCount: 0,
    });
    const createdAtMs = Date.parse(before.createdAt);
    assert.ok(createdAtMs >= beganMs && createdAtMs <= Date.now());
    await forum().channel(ana);
    const hidden = await forum().channel(ana);
    assert.equal((await personOf(ana.id)).channelCount, 2);
    await operate(forum(), 'hide', hidden._id);
    assert.equal((await personOf(ana.id)).channelCount, 1);
    await forum().json('PUT', apiRoutes.updateImage, { token: ana.token, body: { img: null } });
    assert.equal((await personOf(ana.id)).img, '');
    await operate(forum(), 'disable', ana.email);
    assert.equal((await personOf(ana.id)).name, 'Ana');
  });

  test('responds 404 for unknown people and their lists', async () => {
    for (const id of ['nada', '00000000-0000-7000-8000-000000000000', "' or 1=1", 'x'.repeat(90)]) {
      for (const route of [apiRoutes.user, apiRoutes.userChannels, apiRoutes.userComments]) {
        await expectProblem(await forum().call('GET', route(id)), 404, 'user_not_found');
      }
    }
    await expectProblem(await forum().call('GET', '/api/users/%00'), 404, 'not_found');
  });

  test('lists the channels of a person, newest first, in pages', async () => {
    const ana = await forum().person('Ana');
    for (const name of ['a', 'b', 'c']) await forum().channel(ana, name);
    await forum().channel(await forum().person(), 'ajeno');
    const list = (query: object) =>
      forum().json<ChannelPage>('GET', withQuery(apiRoutes.userChannels(ana.id), { ...query }));
    const first = await list({ limit: 2 });
    assert.deepEqual(
      first.data.map(({ name }) => name),
      ['c', 'b'],
    );
    const second = await list({ limit: 2, after: first.next });
    assert.deepEqual(
      second.data.map(({ name }) => name),
      ['a'],
    );
    assert.equal(second.next, null);
  });

  test('lists the comments of a person with their channels, newest first, in pages', async () => {
    const ana = await forum().person('Ana');
    const other = await forum().person();
    const channels = [await forum().channel(other, 'Cine'), await forum().channel(ana, 'Libros')];
    for (let i = 0; i < 5; i++) {
      await forum().comment(ana, channels[i % 2]?._id ?? '', `Texto ${i}`);
      await forum().comment(other, channels[0]?._id ?? '', 'De otra persona');
    }
    const first = await commentsOf(ana.id, { limit: 2 });
    assert.deepEqual(texts(first), ['Texto 4', 'Texto 3']);
    assert.deepEqual(first.data[0]?.channel, { _id: channels[0]?._id, name: 'Cine' });
    assert.equal(first.data[0]?.comment.autorId, ana.id);
    const second = await commentsOf(ana.id, { limit: 2, after: first.next });
    assert.deepEqual(texts(second), ['Texto 2', 'Texto 1']);
    const last = await commentsOf(ana.id, { limit: 2, after: second.next });
    assert.deepEqual([texts(last), last.next], [['Texto 0'], null]);
  });

  test('leaves out hidden comments and those in hidden channels', async () => {
    const ana = await forum().person('Ana');
    const hidden = await forum().channel(ana);
    const shown = await forum().channel(ana);
    await forum().comment(ana, hidden._id, 'En el oculto');
    await forum().comment(ana, shown._id, 'Oculto');
    await forum().comment(ana, shown._id, 'A la vista');
    assert.equal((await commentsOf(ana.id)).data.length, 3);
    await operate(forum(), 'hide', hidden._id);
    await operate(forum(), 'hide', commentId(shown._id, 1));
    assert.deepEqual(texts(await commentsOf(ana.id)), ['A la vista']);
  });

  test('shows older comments, however many newer ones are in hidden channels', async () => {
    const ana = await forum().person('Ana');
    const hidden = await forum().channel(ana);
    const shown = await forum().channel(ana);
    for (const text of ['Primero', 'Segundo', 'Tercero'])
      await forum().comment(ana, shown._id, text);
    await forum()
      .services.db.insertInto('comments')
      .values(
        Array.from({ length: 1200 }, (_, index) => ({
          channel_id: hidden._id,
          number: index + 1,
          account_id: ana.id,
          text: toStoredText('En el oculto'),
          created_at_ms: Date.now() + index,
        })),
      )
      .execute();
    await operate(forum(), 'hide', hidden._id);
    const first = await commentsOf(ana.id, { limit: 2 });
    assert.deepEqual(texts(first), ['Tercero', 'Segundo']);
    const last = await commentsOf(ana.id, { limit: 2, after: first.next });
    assert.deepEqual([texts(last), last.next], [['Primero'], null]);
  });

  test('shows a new avatar at once on everything that a person wrote', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    await forum().comment(ana, _id, 'Hola');
    await commentsOf(ana.id);
    const body = { img: 'https://ejemplo.es/nueva.png' };
    await forum().json('PUT', apiRoutes.updateImage, { token: ana.token, body });
    assert.equal((await commentsOf(ana.id)).data[0]?.comment.autorImg, body.img);
    assert.notEqual(body.img, assetRoutes.defaultAvatar);
  });

  test('rejects malformed cursors and limits out of range', async () => {
    const ana = await forum().person();
    for (const after of [
      '',
      'x',
      `1_${ana.id}`,
      `1_${ana.id}-`,
      `-1_${ana.id}-1`,
      `1_${ana.id}-1x`,
    ]) {
      for (const route of [apiRoutes.userComments, apiRoutes.userChannels]) {
        const response = await forum().call('GET', withQuery(route(ana.id), { after }));
        await expectProblem(response, 400, 'invalid_cursor');
      }
    }
    for (const limit of [0, 101, 'x']) {
      const response = await forum().call(
        'GET',
        withQuery(apiRoutes.userComments(ana.id), { limit }),
      );
      await expectProblem(response, 400, 'invalid_request');
    }
  });
});
