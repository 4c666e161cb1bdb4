import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../../test/eventually.ts';
import { onBothEngines, onEngine } from '../../../../../test/forum/both-engines.ts';
import type { Forum } from '../../../../../test/forum/forum.ts';
import { operate } from '../../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';
import { commentId } from '../../../../shared/comment-id.ts';
import { limits } from '../../../../shared/limits.ts';
import { pageRoutes } from '../../../../shared/routes.ts';

/** Creates a channel with two comments. */
async function filled(forum: Forum) {
  const author = await forum.person();
  const channel = await forum.channel(author, `Canal ${crypto.randomUUID()}`);
  for (const text of ['uno-q', 'dos-q']) await forum.comment(author, channel._id, text);
  return { author, channel };
}

onBothEngines('admin commands for content', (forum) => {
  test('content is hidden and shown at once on the pages of a running server, and erased for good', async () => {
    const run = (...words: string[]) => operate(forum(), ...words);
    const { channel } = await filled(forum());
    const id = commentId(channel._id, 2);
    const page = async () => (await forum().call('GET', pageRoutes.channel(channel._id))).text();
    // The page is cached from now on.
    assert.match(await page(), /dos-q/);
    const said = await run('hide', id);
    const [, decision = ''] = /To undo this decision: undo (\S+)$/.exec(said) ?? [];
    assert.ok(said.startsWith(`${id} is hidden. To show it again: show ${id}.`), said);
    assert.doesNotMatch(await page(), /dos-q/);
    assert.match(await run('comments', channel._id), /hidden +dos-q/);
    await assert.rejects(run('hide', id), { code: 'already_decided' });
    assert.equal(await run('undo', decision), `${decision} is undone.`);
    await eventually('it is shown again', async () => /dos-q/.test(await page()));
    await run('hide', id);
    await run('show', id);
    assert.match(await page(), /dos-q/);
    await assert.rejects(run('show', id), { code: 'already_decided' });

    await run('hide', channel._id);
    assert.match(await run('channels', channel.name), /hidden$/m);
    for (const one of [id, channel._id]) {
      assert.equal(await run('erase', one), `${one} is erased for good.`);
      for (const command of ['hide', 'erase'])
        await assert.rejects(run(command, one), ({ code }) => code.endsWith('_not_found'));
    }
    assert.match(await run('audit'), RegExp(`ada +erase-channel +${channel._id} +porque sí`));
  });
});

onEngine('sqlite', 'admin commands for content', (forum, wait) => {
  const run = (...words: string[]) => operate(forum(), ...words);

  test('the earlier texts of an edited comment are printed whole, even if it is hidden', async () => {
    const { author, channel } = await filled(forum());
    const id = commentId(channel._id, 1);
    const long = `${'ñ'.repeat(200)}\n\u202efin`;
    for (const [revision, comment] of [long, 'tercera'].entries()) {
      // Edits within five minutes are one version.
      wait(limits.unmarkedEditMinutes * 60_000);
      await forum().json('PATCH', apiRoutes.channelComment(channel._id, 1), {
        token: author.token,
        headers: { 'if-match': `"${revision + 1}"` },
        body: { comment },
      });
    }
    await run('hide', id);
    const printed =
      /^Revision 1, until [-\d]+ [:\d]+ \(UTC\):\n {2}uno-q\nRevision 2, .*\n {2}ñ{200}\n {2} fin\nRevision 3, the present one:\n {2}tercera$/;
    assert.match(await run('versions', id), printed);
    const unedited = await run('versions', commentId(channel._id, 2));
    assert.equal(unedited, 'Revision 1, the present one:\n  dos-q');
    await assert.rejects(run('versions', channel._id), /not the id of a comment/);
  });

  test('an invalid or unknown id is rejected and leaves no entry in the audit log', async () => {
    const { channel } = await filled(forum());
    const before = await run('audit');
    const numbers = ['', '0', '01', '2147483648', '999999999999999'];
    for (const id of ['', 'x', ...numbers.map((number) => `${channel._id}-${number}`)])
      await assert.rejects(run('hide', id), /not the id/);
    for (const [command, id, code] of [
      ['hide', commentId(channel._id, 99), 'comment_not_found'],
      ['versions', commentId(channel._id, 99), 'comment_not_found'],
      ['erase', crypto.randomUUID(), 'channel_not_found'],
    ] as const) {
      await assert.rejects(run(command, id), { code });
    }
    assert.equal(await run('audit'), before);
  });
});
