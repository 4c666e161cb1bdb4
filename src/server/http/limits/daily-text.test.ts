import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { countText } from './daily-text.ts';

const dayMs = 86_400_000;

onBothEngines('the text that an account writes in a day', (forum, wait) => {
  test('is bounded for comments, channels, pending posts and edits together, without short ones and repeated requests', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    const headers = { 'idempotency-key': 'uno' };
    const post = (comment: string) =>
      forum().call('PUT', apiRoutes.comment, {
        token: author.token,
        headers,
        body: { id: _id, comment },
      });
    const made = await (await post('Hola')).json();
    const { db, now } = forum().services;
    await countText(db, author.id, { text: 'a'.repeat(20 * 1024 * 1024 - 100) }, now());
    assert.deepEqual(await (await post('Hola')).json(), made);

    const long = 'a'.repeat(2000);
    const { token } = author;
    const edit = { token, headers: { 'if-match': '"1"' } };
    const channel = { name: 'Otro', description: long, cover: '/default-avatar.svg' };
    const write = () => [
      forum().call('PUT', apiRoutes.comment, { token, body: { id: _id, comment: long } }),
      forum().call('POST', apiRoutes.channels, { token, body: channel }),
      forum().call('PATCH', apiRoutes.channelComment(_id, 1), { ...edit, body: { comment: long } }),
      forum().call('PATCH', apiRoutes.channel(_id), { ...edit, body: { description: long } }),
    ];
    const refused = async () => {
      for (const answer of await Promise.all(write())) {
        const { detail } = await expectProblem(answer, 429, 'too_many_requests');
        assert.match(detail, /20.MB de texto .* dentro de 24 horas/);
        assert.ok(Number(answer.headers.get('retry-after')) > 86_000);
      }
    };
    await refused();
    const short = { token, body: { id: _id, comment: 'Vale, allí estaré' } };
    await forum().json('PUT', apiRoutes.comment, short);
    const { token: other } = await forum().person();
    await forum().json('PUT', apiRoutes.comment, {
      token: other,
      body: { id: _id, comment: long },
    });
    wait(dayMs);
    for (const answer of await Promise.all(write())) assert.notEqual(answer.status, 429);

    await reviewFirstPosts(forum());
    const novice = await forum().person();
    const body = { id: _id, comment: long };
    await countText(db, novice.id, { text: 'a'.repeat(20 * 1024 * 1024 - 1000) }, now());
    const pending = await forum().call('PUT', apiRoutes.comment, { token: novice.token, body });
    await expectProblem(pending, 429, 'too_many_requests');
  });
});
