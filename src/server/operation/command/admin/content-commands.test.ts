import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines, onEngine } from '../../../../../test/forum/both-engines.ts';
import { hideContent } from '../../../../../test/forum/moderators.ts';
import { operate } from '../../../../../test/forum/operator.ts';
import { commentId } from '../../../../shared/comment-id.ts';
import { pageRoutes } from '../../../../shared/routes.ts';

onBothEngines('the admin command erase', (forum) => {
  test('erases content for good, hidden or not, at once on the pages of a running server', async () => {
    const run = (...words: string[]) => operate(forum(), ...words);
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (const text of ['uno-q', 'dos-q']) await forum().comment(author, channel._id, text);
    const id = commentId(channel._id, 2);
    const page = async () => (await forum().call('GET', pageRoutes.channel(channel._id))).text();
    // The page is cached from now on.
    assert.match(await page(), /dos-q/);
    assert.equal(await run('erase', id), `${id} is erased for good.`);
    assert.doesNotMatch(await page(), /dos-q/);
    await hideContent(forum(), channel._id);
    assert.equal(await run('erase', channel._id), `${channel._id} is erased for good.`);
    for (const one of [id, channel._id])
      await assert.rejects(run('erase', one), { code: 'channel_not_found' });
    assert.match(await run('audit'), RegExp(`ada +erase-channel +${channel._id} +porque sí`));
  });
});

onEngine('sqlite', 'the admin command erase', (forum) => {
  test('rejects an invalid or unknown id, without an entry in the audit log', async () => {
    const run = (...words: string[]) => operate(forum(), ...words);
    const channel = await forum().channel(await forum().person());
    const before = await run('audit');
    const numbers = ['', '0', '01', '2147483648', '999999999999999'];
    for (const id of ['', 'x', ...numbers.map((number) => `${channel._id}-${number}`)])
      await assert.rejects(run('erase', id), /not the id/);
    await assert.rejects(run('erase', commentId(channel._id, 99)), { code: 'comment_not_found' });
    await assert.rejects(run('erase', crypto.randomUUID()), { code: 'channel_not_found' });
    assert.equal(await run('audit'), before);
  });
});
