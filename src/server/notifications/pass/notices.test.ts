import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { mailedForum } from '../../../../test/mail/mailed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';
import type { Important } from '../../../shared/notification-settings.ts';

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

test('whoever wants none is sent no notice, and none of that time afterwards; others get them also without digests', async () => {
  changeValues(notificationKinds.thanks, { mail: 'at once' });
  const ana = await confirmed('Ana', 'never');
  const choose = (important: Important) =>
    site.forum.json('PATCH', apiRoutes.notificationSettings, {
      token: ana.token,
      body: { important },
    });
  await choose('never');
  const { channelId, other } = await answered(ana);
  await thank(other, channelId);
  assert.deepEqual(await sent(), []);
  await choose('now');
  const leo = await site.forum.person('Leo');
  await site.sendAll();
  site.server.take();
  assert.deepEqual(await sent(), []);
  await thank(leo, channelId);
  assert.equal((await sent()).length, 1);
});

test('with the digest comes what does not wait, for whoever chose that', async () => {
  changeValues(notificationKinds.thanks, { mail: 'at once' });
  const ana = await confirmed('Ana', 'hour');
  const { channelId, other } = await answered(ana);
  const leo = await site.forum.person('Leo');
  wait(2 * hourMs);
  await sent();
  await thank(other, channelId);
  assert.equal((await sent()).length, 1);
  await site.forum.json('PATCH', apiRoutes.notificationSettings, {
    token: ana.token,
    body: { important: 'digest' },
  });
  await thank(leo, channelId);
  assert.deepEqual(await sent(), []);
  wait(2 * hourMs);
  const [digest, ...others] = await sent();
  assert.match(digest?.subject ?? '', /^Leo y Bea te dieron las gracias/);
  assert.deepEqual(others, []);
});
