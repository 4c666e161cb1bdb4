import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { unsubscribeToken } from '../mail/unsubscribe.ts';

const friend = 'https://amigo.example';

test('a page of another site can neither use up its visitors’ rate limits nor make them look like attackers', async () => {
  const env = { RATE_LIMITS: 'on', CORS_ORIGINS: friend, LOG_LEVEL: 'silent' };
  await using forum = await Forum.start('sqlite', env);
  const { email, password } = await forum.person();
  const signIn = (headers: Record<string, string>) =>
    forum.call('POST', apiRoutes.signIn, { headers });
  const sites = ['cross-site', 'same-site'];
  for (let tries = 0; tries < 130; tries++) {
    const site = sites[tries % 2] ?? '';
    const refused = await signIn({ 'sec-fetch-site': site, origin: 'https://otro.example' });
    await expectProblem(refused, 403, 'other_origin');
  }
  const noOrigin = { 'sec-fetch-site': 'cross-site' };
  await expectProblem(await forum.call('PUT', '/nada', { headers: noOrigin }), 403, 'other_origin');
  assert.equal((await forum.call('GET', apiRoutes.channels, { headers: noOrigin })).status, 200);

  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: friend },
    { 'sec-fetch-site': 'same-origin' },
    {},
  ]) {
    assert.equal((await signIn({ authorization, ...headers })).status, 200);
  }
});

test('a webmail page ends news with one click, by the token alone, whatever the cookies', async () => {
  await using forum = await Forum.start('sqlite');
  const { db } = forum.services;
  const [ana, eva] = [await forum.person('Ana'), await forum.person('Eva')];
  await db.updateTable('accounts').set({ mail_every: 'day' }).execute();
  const browser = new RememberedBrowser(forum);
  await browser.signIn(eva);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: browser.cookie };
  const body = 'List-Unsubscribe=One-Click';
  for (const [site, origin, token, status] of [
    ['cross-site', 'https://webmail.example', `${eva.id}.x`, 404],
    ['same-site', 'null', await unsubscribeToken(db, ana.id), 200],
  ] as const) {
    const sent = { ...headers, 'sec-fetch-site': site, origin };
    const answer = await forum.call('POST', `/unsubscribe/${token}`, { body, headers: sent });
    assert.equal(answer.status, status);
  }
  const ended = db.selectFrom('accounts').select('id').where('mail_every', '=', 'never');
  assert.deepEqual(
    (await ended.execute()).map(({ id }) => id),
    [ana.id],
  );
});
