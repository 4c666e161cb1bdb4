import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { mailedForum } from '../../../../test/mail/mailed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';

const hourMs = 3_600_000;
const site = mailedForum();
const { wait, sent, confirmed, answered, setEvery } = site;

const thank = (person: Person, channelId: string) =>
  site.forum.json('PUT', apiRoutes.thanks(channelId, 1), { token: person.token });

test('a kind that goes at once is mailed by the next pass, once, and neither moves nor repeats the digest', async () => {
  changeValues(notificationKinds.thanks, { mail: 'at once' });
  const ana = await confirmed('Ana', 'week');
  const { channelId, other } = await answered(ana, 'Yo también');
  await thank(other, channelId);
  const [notice, ...others] = await sent();
  assert.match(notice?.subject ?? '', /^Bea te dio las gracias en Cine/);
  assert.ok(!notice?.text?.includes('Yo también'), 'the reply waits for the digest');
  assert.deepEqual(others, []);
  assert.deepEqual(await sent(), []);
  // Another one, long before the digest.
  const leo = await site.forum.person('Leo');
  await site.sendAll();
  site.server.take();
  await thank(leo, channelId);
  const [next] = await sent();
  assert.match(next?.subject ?? '', /^Leo te dio las gracias en Cine/);

  await setEvery(ana, 'hour');
  wait(2 * hourMs);
  const [digest, ...more] = await sent();
  assert.match(digest?.subject ?? '', /^Bea te respondió en Cine/);
  assert.ok(!digest?.text?.includes('gracias'));
  assert.deepEqual(more, []);
  assert.deepEqual(await sent(), []);
});

test('whoever gets no mail is sent no notice either, and none of that time afterwards', async () => {
  changeValues(notificationKinds.thanks, { mail: 'at once' });
  const ana = await confirmed('Ana', 'never');
  const { channelId, other } = await answered(ana);
  await thank(other, channelId);
  assert.deepEqual(await sent(), []);
  await setEvery(ana, 'hour');
  assert.deepEqual(await sent(), []);
});
