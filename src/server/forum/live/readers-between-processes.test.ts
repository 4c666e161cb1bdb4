import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { ForumClient } from '../../../../test/forum/forum-client.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { ServerProcess } from '../../../../test/processes/server-process.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { SavedSettings } from '../../../shared/site-settings.ts';

test('a community that is closed in one process ends the streams of another, which shows guests no more', async () => {
  await using forum = await Forum.start('postgres');
  const admin = await staff(forum, 'admin');
  const channel = await forum.channel(admin, 'Ensayos');
  await changeSettings(forum, { contact: 'ana@foro.example' });
  const env = { ...forum.dataSettings, RATE_LIMITS: 'off' };
  await using one = await ServerProcess.start(env);
  await using another = await ServerProcess.start(env);
  const [here, there] = [new ForumClient(one.url), new ForumClient(another.url)];
  const page = async () => (await there.call('GET', pageRoutes.channel(channel._id))).text();
  const switchTo = async (readers: string) => {
    const { token } = admin;
    const { revision } = await here.json<SavedSettings>('GET', apiRoutes.siteSettings, { token });
    await here.json('PATCH', apiRoutes.siteSettings, {
      token,
      body: { readers },
      headers: { 'if-match': `"${revision}"` },
    });
  };
  assert.match(await page(), /Ensayos/);
  const stream = await there.call('GET', apiRoutes.channelLive(channel._id));
  assert.equal(stream.status, 200);
  await switchTo('members');
  await stream.text();
  assert.doesNotMatch(await page(), /Ensayos/);
  await expectProblem(
    await there.call('GET', apiRoutes.channelLive(channel._id)),
    401,
    'not_signed_in',
  );
  await switchTo('everyone');
  // The other process hears of it a few milliseconds later.
  await eventually('everybody reads again', async () => /Ensayos/.test(await page()));
});
