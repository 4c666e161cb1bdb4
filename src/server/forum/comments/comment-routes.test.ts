import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { Comment } from '../../../shared/comments.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { Rules } from '../../../shared/site-settings.ts';

onEngine('sqlite', 'comments', (forum) => {
  test('stores a comment, returns it whole and counts it', async () => {
    const author = await forum().person('Noa');
    const { token } = author;
    const { _id: id } = await forum().channel(author);
    const body = { id, comment: ' La primera\nlínea 😄 ' };
    const comment = await forum().json<Comment>('PUT', apiRoutes.comment, { token, body });
    const { autorRole, autorImported, ...properties } = Comment.properties;
    assert.ok(autorRole && autorImported);
    assert.deepEqual(Object.keys(comment), Object.keys(properties));
    assert.deepEqual(
      [comment.comment, comment.autor, comment.autorId, comment.autorImg, comment.channelId],
      ['La primera\nlínea 😄', 'Noa', author.id, '/default-avatar.svg', id],
    );
    const read = await forum().json<Channel>('GET', apiRoutes.channel(id));
    assert.deepEqual([read.commentCount, read.comments], [1, [comment]]);
  });

  test('stores comments, descriptions and rules with bullets that every phone has, and mentions after them', async () => {
    const [pasted, shown] = ['\uf0b7\tPan\r\n\uf0a7Leche, @Noa', '• Pan\n• Leche, @Noa'];
    const author = await forum().person('Noa');
    const body = { name: 'Compra', description: pasted, cover: '/default-avatar.svg' };
    const { token } = author;
    const channel = await forum().json<Channel>('POST', apiRoutes.channels, { token, body });
    assert.equal(channel.description, shown);
    const { _id: id } = channel;
    const mentions = [{ start: shown.indexOf('@'), length: 4, accountId: author.id }];
    const comment = await forum().comment(author, id, pasted, { mentions });
    assert.equal(comment.comment, shown);
    assert.deepEqual(comment.mentions, [{ ...mentions[0], name: 'Noa' }]);
    assert.equal((await forum().edit(author, id, 1, `Hoy:\n${pasted}`)).comment, `Hoy:\n${shown}`);
    await changeSettings(forum(), { rules: pasted });
    const { rules } = await forum().json<Rules>('GET', apiRoutes.rules);
    assert.equal(rules, shown);
  });

  test('responds 404 to unknown channels, and to numbers that no comment has', async () => {
    const author = await forum().person();
    const { token } = author;
    const { _id: id } = await forum().channel(author);
    await forum().comment(author, id, 'Hola');
    const edit = { headers: { 'if-match': '"1"' }, body: { comment: 'Adiós' } };
    const calls = [
      ['PATCH', apiRoutes.channelComment, edit],
      ['DELETE', apiRoutes.channelComment, {}],
      ['POST', apiRoutes.restoreComment, {}],
      ['PUT', apiRoutes.thanks, {}],
      ['DELETE', apiRoutes.thanks, {}],
      ['GET', apiRoutes.thanks, {}],
      ['GET', apiRoutes.replies, {}],
    ] as const;
    for (const [method, urlOf, options] of calls) {
      for (const number of ['0', '2', '01', '1e0', '2147483648', '9'.repeat(400)]) {
        const response = await forum().call(method, urlOf(id, number), { token, ...options });
        await expectProblem(response, 404, 'comment_not_found');
      }
      const response = await forum().call(method, urlOf('nada', 1), { token, ...options });
      const code = method === 'GET' ? 'comment_not_found' : 'channel_not_found';
      await expectProblem(response, 404, code);
    }
    const body = { id: 'nada', comment: 'Hola' };
    for (const response of [
      await forum().call('PUT', apiRoutes.comment, { token, body }),
      await forum().call('GET', apiRoutes.channelComments('nada')),
      await forum().call('GET', withQuery(apiRoutes.channelComments('nada'), { around: 1 })),
    ])
      await expectProblem(response, 404, 'channel_not_found');
  });
});
