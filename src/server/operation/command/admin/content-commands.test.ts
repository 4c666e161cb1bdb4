import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../../test/forum/both-engines.ts';
import type { Forum, Person } from '../../../../../test/forum/forum.ts';
import { operate } from '../../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';
import type { Channel } from '../../../../shared/channels.ts';
import { commentId } from '../../../../shared/comment-id.ts';
import { pageRoutes } from '../../../../shared/routes.ts';

/** Creates a channel with two comments. */
async function filled(forum: Forum): Promise<[Person, Channel]> {
  const author = await forum.person();
  const channel = await forum.channel(author, `Canal ${crypto.randomUUID()}`);
  for (const text of ['uno-q', 'dos-q']) await forum.comment(author, channel._id, text);
  return [author, channel];
}

onBothEngines('admin commands for content', (forum) => {
  const pageOf = async ({ _id }: Channel) =>
    (await forum().call('GET', pageRoutes.channel(_id))).text();

  test('content is hidden, shown and erased at once on the pages of a running server', async () => {
    const [, channel] = await filled(forum());
    const id = commentId(channel._id, 2);
    // The page is cached from now on.
    assert.match(await pageOf(channel), /dos-q/);
    const said = await operate(forum(), 'hide', id);
    assert.ok(said.startsWith(`${id} is hidden. To show it again: show ${id}.`), said);
    assert.doesNotMatch(await pageOf(channel), /dos-q/);
    assert.match(await operate(forum(), 'comments', channel._id), /hidden +dos-q/);
    await assert.rejects(operate(forum(), 'hide', id), { code: 'already_decided' });
    await operate(forum(), 'show', id);
    assert.match(await pageOf(channel), /dos-q/);
    await assert.rejects(operate(forum(), 'show', id), { code: 'already_decided' });
    const [, decision = ''] = /undo (\S+)$/.exec(await operate(forum(), 'hide', id)) ?? [];
    assert.equal(await operate(forum(), 'undo', decision), `${decision} is undone.`);
    assert.match(await pageOf(channel), /dos-q/);

    await operate(forum(), 'hide', channel._id);
    assert.match(await operate(forum(), 'channels', channel.name), /hidden$/m);
    for (const one of [id, channel._id]) {
      assert.equal(await operate(forum(), 'erase', one), `${one} is erased for good.`);
      for (const command of ['hide', 'erase'])
        await assert.rejects(operate(forum(), command, one), ({ code }) =>
          code.endsWith('_not_found'),
        );
    }
    const audit = await operate(forum(), 'audit');
    assert.match(audit, new RegExp(`ada +erase-channel +${channel._id} +porque sí`));
  });

  test('the earlier texts of an edited comment are printed whole, even if it is hidden', async () => {
    const [author, channel] = await filled(forum());
    const id = commentId(channel._id, 1);
    const long = `${'ñ'.repeat(200)}\n\u202efin`;
    for (const [revision, comment] of [long, 'tercera'].entries()) {
      await forum().json('PATCH', apiRoutes.channelComment(channel._id, 1), {
        token: author.token,
        headers: { 'if-match': `"${revision + 1}"` },
        body: { comment },
      });
    }
    await operate(forum(), 'hide', id);
    const printed =
      /^Revision 1, until [-\d]+ [:\d]+ \(UTC\):\n {2}uno-q\nRevision 2, .*\n {2}ñ{200}\n {2} fin\nRevision 3, the present one:\n {2}tercera$/;
    assert.match(await operate(forum(), 'versions', id), printed);
    const unedited = await operate(forum(), 'versions', commentId(channel._id, 2));
    assert.equal(unedited, 'Revision 1, the present one:\n  dos-q');
    await assert.rejects(operate(forum(), 'versions', channel._id), /not the id of a comment/);
    const unknown = operate(forum(), 'versions', commentId(channel._id, 99));
    await assert.rejects(unknown, { code: 'comment_not_found' });
  });

  test('an invalid or unknown id is rejected and leaves no entry in the audit log', async () => {
    const [, { _id }] = await filled(forum());
    const before = await operate(forum(), 'audit');
    const numbers = ['', '0', '01', '2147483648', '999999999999999'];
    for (const id of ['', 'x', ...numbers.map((number) => `${_id}-${number}`)]) {
      await assert.rejects(operate(forum(), 'hide', id), /not the id/);
    }
    const comment = operate(forum(), 'hide', commentId(_id, 99));
    await assert.rejects(comment, { code: 'comment_not_found' });
    const unknown = operate(forum(), 'erase', crypto.randomUUID());
    await assert.rejects(unknown, { code: 'channel_not_found' });
    assert.equal(await operate(forum(), 'audit'), before);
  });
});
