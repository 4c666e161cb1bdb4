import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { decided, hideContent, staff, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Person, PersonCommentPage } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { toStoredText } from '../../texts/stored-text.ts';

onEngine('sqlite', 'people', (forum) => {
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
    await hideContent(forum(), hidden._id);
    await forum().json('PUT', apiRoutes.updateImage, { token: ana.token, body: { img: null } });
    await operate(forum(), 'disable', ana.email);
    assert.deepEqual(await personOf(ana.id), { ...before, img: '', channelCount: 1 });
  });

  test('responds 404 for unknown people and their lists', async () => {
    for (const id of ['nada', '00000000-0000-7000-8000-000000000000', "' or 1=1"]) {
      for (const route of [apiRoutes.user, apiRoutes.userChannels, apiRoutes.userComments]) {
        await expectProblem(await forum().call('GET', route(id)), 404, 'user_not_found');
      }
    }
  });

  test('shows a hidden person to moderators only', async () => {
    const [ana, eva] = [await forum().person('Ana'), await staff(forum())];
    const { id } = await decided(forum(), eva, { subject: user(ana), action: 'hideAll' });
    const get = (caller: { token?: string }) => forum().call('GET', apiRoutes.user(ana.id), caller);
    for (const caller of [{}, ana]) await expectProblem(await get(caller), 404, 'user_not_found');
    const shown = await get(eva);
    assert.deepEqual([shown.status, ((await shown.json()) as Person).hiddenBy], [200, id]);
  });

  test('lists the channels and the comments of a person, newest first, in pages', async () => {
    const ana = await forum().person('Ana');
    const other = await forum().person();
    const cine = await forum().channel(other, 'Cine');
    const own = [];
    for (const name of ['a', 'b', 'c']) own.push(await forum().channel(ana, name));
    const channels = (query: object) =>
      forum().json<ChannelPage>('GET', withQuery(apiRoutes.userChannels(ana.id), { ...query }));
    const firstChannels = await channels({ limit: 2 });
    const lastChannels = await channels({ limit: 2, after: firstChannels.next });
    assert.deepEqual(
      [firstChannels, lastChannels].map(({ data }) => data.map(({ name }) => name)),
      [['c', 'b'], ['a']],
    );
    assert.equal(lastChannels.next, null);

    for (let i = 0; i < 5; i++) {
      await forum().comment(ana, i % 2 ? (own[0]?._id ?? '') : cine._id, `Texto ${i}`);
      await forum().comment(other, cine._id, 'De otra persona');
    }
    const first = await commentsOf(ana.id, { limit: 2 });
    assert.deepEqual(texts(first), ['Texto 4', 'Texto 3']);
    assert.deepEqual(first.data[0]?.channel, { _id: cine._id, name: 'Cine' });
    assert.equal(first.data[0]?.comment.autorId, ana.id);
    const second = await commentsOf(ana.id, { limit: 2, after: first.next });
    assert.deepEqual(texts(second), ['Texto 2', 'Texto 1']);
    const last = await commentsOf(ana.id, { limit: 2, after: second.next });
    assert.deepEqual([texts(last), last.next], [['Texto 0'], null]);
  });

  test('leaves out hidden comments and those in hidden channels, however many', async () => {
    const ana = await forum().person('Ana');
    const [hidden, shown] = [await forum().channel(ana), await forum().channel(ana)];
    for (const text of ['Primero', 'Segundo', 'Oculto', 'Tercero'])
      await forum().comment(ana, shown._id, text);
    await insertComments(forum(), hidden._id, ana.id, 1200, () => ({
      text: toStoredText('En el oculto'),
    }));
    assert.equal(texts(await commentsOf(ana.id))[0], 'En el oculto');
    await hideContent(forum(), hidden._id);
    await hideContent(forum(), commentId(shown._id, 3));
    const first = await commentsOf(ana.id, { limit: 2 });
    assert.deepEqual(texts(first), ['Tercero', 'Segundo']);
    const last = await commentsOf(ana.id, { limit: 2, after: first.next });
    assert.deepEqual([texts(last), last.next], [['Primero'], null]);
  });
});
