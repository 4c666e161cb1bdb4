import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Forum } from '../../../test/forum/forum.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Receipt } from '../../shared/moderation.ts';
import { pageRoutes, searchUrl, withQuery } from '../../shared/routes.ts';

const searched = 'divorcio';

test('no token, password, e-mail or search is in the log at any level, and no secret in responses to others', async () => {
  let logged = '';
  const log = new PassThrough().on('data', (chunk) => {
    logged += chunk;
  });
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'trace' }, {}, log);
  const person = await forum.person('Lucía', 'secreta.lucia@ejemplo.es');
  const { token, email, password } = person;
  const channel = await forum.channel(person);
  const reader = await LiveReader.open(forum, channel._id);
  await forum.comment(person, channel._id, 'Hola');
  const sent = [JSON.stringify(await reader.next())];
  reader.close();

  const browser = new RememberedBrowser(forum);
  await browser.signIn(person);
  const kept = browser.cookie.split('=')[1] ?? '';
  const newPassword = 'otra contraseña secreta';
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  const body = { name: 'Lucía', email, password, img: 'mal' };
  const answers = [
    await forum.call('GET', apiRoutes.me, { token: `${token}x` }),
    await forum.signIn(email, `${password}x`),
    await forum.call('POST', apiRoutes.signUp, { body }),
    await forum.call('POST', apiRoutes.signUp, { body: { ...body, img: '' } }),
    await forum.call('POST', apiRoutes.signUp, { body: `{"password":"${password}",` }),
    await forum.call('PUT', apiRoutes.updateImage, { token, body: { email: 'x', img: email } }),
    await forum.call('PATCH', `${apiRoutes.uploads}/x`, { token }),
    await browser.resume({ cookie: `${browser.cookie}x` }),
    await browser.resume({ 'sec-fetch-site': 'cross-site' }),
    await forum.call('GET', apiRoutes.sessions, { token }),
    await forum.call('PATCH', apiRoutes.me, {
      token,
      body: { name: '', password: newPassword, currentPassword: password },
    }),
    await forum.call('PATCH', apiRoutes.me, {
      token,
      body: { password: newPassword, currentPassword: `${password}x` },
    }),
    await forum.call('GET', `/api/nada?token=${token}`, { token }),
    await forum.call('GET', '/%zz', { token }),
    await forum.call('GET', pageRoutes.home, { token }),
    await forum.call('GET', pageRoutes.channel(channel._id), { token }),
    await forum.call('GET', apiRoutes.channels, { token }),
  ];
  const report = { kind: 'channel', id: channel._id, reason: 'spam' };
  const { receipt } = await forum.json<Receipt>('POST', apiRoutes.reports, { body: report });
  await forum.json('GET', apiRoutes.report(receipt));
  const mailed = 'a-token-of-a-mail';
  await forum.call('GET', `/unsubscribe/${mailed}`);
  await forum.call('GET', `/rsvp/${mailed}`);
  await forum.call('GET', `/calendar/${mailed}.ics`);
  // Messengers pass on the `#` before these secrets in this way.
  const invitation = 'a-code-of-an-invitation';
  const hashes = ['%23', '%2523', '/%23'];
  for (const path of [pageRoutes.register, pageRoutes.password, pageRoutes.channel('x')])
    for (const hash of hashes) await forum.call('GET', path + hash + invitation);
  for (const path of [pageRoutes.register, pageRoutes.password])
    for (const sign of ['%2F', '%3F', '%20', '%EF%BC%83', '=', ':'])
      await forum.call('GET', path + sign + invitation);
  // No route matches these requests.
  await forum.call('GET', `/Unsubscribe/${mailed}`);
  await forum.call('PUT', `/unsubscribe/${mailed}`);
  await forum.call('OPTIONS', `/unsubscribe/${mailed}`);
  const search = async () => {
    await forum.call('GET', withQuery(apiRoutes.search, { q: searched }));
    await forum.call('GET', searchUrl({ q: searched, channel: 'x' }));
    await forum.call('GET', withQuery(apiRoutes.search, { q: searched, after: 'x' }));
  };
  await search();
  await forum.call('POST', apiRoutes.signOut, { token });
  // Internal errors are logged with their causes.
  await sql`alter table accounts rename to lost_accounts`.execute(forum.services.db);
  await search();
  answers.push(
    await forum.signIn(email, password),
    await forum.call('GET', apiRoutes.me, { token }),
    await forum.call('POST', apiRoutes.signUp, { body: { ...body, img: '' } }),
    await browser.resume(),
  );
  for (const answer of answers) {
    sent.push(JSON.stringify([...answer.headers]), await answer.text());
  }
  for (const own of [searched, receipt, mailed, invitation]) assert.ok(!logged.includes(own), own);
  assert.match(logged, /"level":50/, 'the failures were logged');
  assert.ok(logged.split('\n').length > answers.length);
  for (const secret of [token, kept, newPassword, password, email, email.toUpperCase(), basic]) {
    for (const text of [logged, ...sent]) {
      const at = text.indexOf(secret);
      assert.equal(at, -1, text.slice(Math.max(0, at - 200), at + 50));
    }
  }
});

test('the log has no value of a row that PostgreSQL refuses', async () => {
  let logged = '';
  const log = new PassThrough().on('data', (chunk) => {
    logged += chunk;
  });
  await using forum = await Forum.start('postgres', {}, {}, log);
  await sql`alter table accounts add check (name <> 'Rechazada')`.execute(forum.services.db);
  const body = { name: 'Rechazada', email: 'secreta@ejemplo.es', password: 'una larga', img: '' };
  const answer = await forum.call('POST', apiRoutes.signUp, { body });
  assert.equal(answer.status, 500);
  assert.match(logged, /violates check constraint/);
  for (const value of [body.name, body.email, '$argon2'])
    assert.ok(!logged.includes(value), logged);
});
