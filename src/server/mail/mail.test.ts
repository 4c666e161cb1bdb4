import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { operate } from '../../../test/forum/operator.ts';
import { mailAll } from '../../../test/mail/mail-all.ts';
import { MailServer } from '../../../test/mail/mail-server.ts';
import { header, mailedForum, tokenIn } from '../../../test/mail/mailed-forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const site = mailedForum();
const { now, wait, sendAll, sent, settingsOf, setEvery, confirmed, answered } = site;

test('sends a mail again with the same Message-ID after the connection was lost', async () => {
  await site.forum.person('Ana');
  site.server.isDropping = true;
  await assert.rejects(sendAll());
  site.server.isDropping = false;
  wait(minuteMs);
  await sendAll();
  const [lost, again, ...others] = site.server.take();
  assert.deepEqual(others, []);
  assert.ok(lost?.messageId);
  assert.equal(again?.messageId, lost.messageId);
  assert.equal(tokenIn(again), tokenIn(lost));
});

test('waits longer and longer while a server refuses a mail for now, and abandons a link once it has expired', async () => {
  const ana = await site.forum.person('Ana');
  let tries = 0;
  site.server.refuse = () => {
    tries++;
    return { code: 451, text: 'busy' };
  };
  for (let minute = 0; minute < 60; minute++) {
    await sendAll();
    wait(minuteMs);
  }
  assert.equal(tries, 6);
  site.server.refuse = undefined;
  wait(hourMs);
  assert.equal((await sent()).length, 1);
  assert.equal((await settingsOf(ana)).email?.problem, null);
  await site.forum.person('Bea');
  site.server.refuse = () => ({ code: 451, text: 'busy' });
  await sendAll();
  site.server.refuse = undefined;
  wait(3 * dayMs);
  assert.deepEqual(await sent(), []);
});

test('a permanent refusal of the address ends its mail and is shown to the person; neither log nor error names it', async () => {
  const ana = await confirmed();
  await answered(ana);
  wait(2 * hourMs);
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => lines.push(line) };
  const refuse = async (code: number, text: string) => {
    site.server.refuse = () => ({ code, text });
    await mailAll({ ...site.forum.services, log }, true).catch((error) => lines.push(error));
    wait(hourMs);
    return (await settingsOf(ana)).email?.problem;
  };
  assert.equal(await refuse(554, `5.7.1 <${ana.email}>: Relay access denied`), null);
  assert.equal(await refuse(421, `4.7.0 <${ana.email}>: wait`), null);
  assert.equal(await refuse(550, `5.1.1 <${ana.email}>: no such user`), 'refused');
  const logged = inspect(lines, { depth: null });
  for (const cause of ['Relay access denied', '421 4.7.0', 'no such user'])
    assert.ok(logged.includes(cause), logged);
  assert.ok(!logged.includes(ana.email), logged);
  wait(dayMs);
  site.server.refuse = undefined;
  assert.deepEqual(await sent(), []);
  assert.equal((await setEvery(ana, 'hour')).email?.problem, null);
});

test('writes to one recipient only, whatever an address, a name or a text looks like', async () => {
  for (const email of ['a@b.es, c@d.es', '"a b"@c.es', 'a@b.es>', 'sin-arroba']) {
    const ana = await site.forum.person('Ana', email);
    assert.deepEqual(await sent(), [], email);
    assert.equal((await settingsOf(ana)).email?.problem, 'refused', email);
  }
  const ana = await confirmed('Ana');
  await answered(ana, 'Hola\nBcc: otra@ejemplo.es', 'Cine\nBcc: otra@ejemplo.es\u202e');
  wait(2 * hourMs);
  const [mail] = await sent();
  assert.deepEqual(mail?.recipients, [ana.email]);
  assert.equal(header(mail, 'bcc'), undefined);
  const unicode = await site.forum.person('Eñe', `correo-${Date.now()}@mañana.example`);
  const [translated] = await sent();
  // The test server translates the domain back.
  assert.deepEqual(translated?.recipients, [unicode.email]);
  assert.match(header(translated, 'to') ?? '', /@xn--maana-pta\.example$/);
  assert.equal((await settingsOf(unicode)).email?.problem, null);
});

test('an erased account leaves nothing to be sent', async () => {
  const ana = await site.forum.person('Ana');
  const { db } = site.forum.services;
  await db.deleteFrom('sessions').where('account_id', '=', ana.id).execute();
  await db
    .updateTable('accounts')
    .set({ erased_at_ms: now(), disabled_at_ms: now() })
    .where('id', '=', ana.id)
    .execute();
  assert.deepEqual(await sent(), []);
});

test('stops at the limit of the site, with recovery mails last', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', { ...server.settings, MAIL_DAILY_LIMIT: '10' });
  const people = [];
  for (let i = 0; i < 10; i++) people.push(await forum.person('Ana'));
  await mailAll(forum.services, true);
  const mails = server.take();
  assert.equal(mails.length, 9);
  await forum.call('POST', apiRoutes.confirmEmail, { body: { token: tokenIn(mails[0]) } });
  const [recipient = ''] = mails[0]?.recipients ?? [];
  await forum.call('POST', apiRoutes.recover, { body: { email: recipient } });
  await eventually('the mail with the link', async () => {
    await mailAll(forum.services, true);
    return server.received.length > 0;
  });
  assert.deepEqual(server.take()[0]?.recipients, [recipient]);
});

test('the operator sends a mail at once, and sees how many wait', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', { ...server.settings, METRICS: 'on' });
  assert.match(
    await operate(forum, 'mail-test', 'ana@ejemplo.es'),
    /^The mail server took the mail to ana@ejemplo\.es: 250 /,
  );
  assert.deepEqual(server.take()[0]?.recipients, ['ana@ejemplo.es']);
  await assert.rejects(operate(forum, 'mail-test', 'a@b.es, c@d.es'), /is not an e-mail address/);
  server.refuse = () => ({ code: 554, text: 'relaying denied' });
  await assert.rejects(operate(forum, 'mail-test', 'ana@ejemplo.es'), /relaying denied/);
  await forum.person('Ana');
  assert.match((await forum.metrics?.render()) ?? '', /^tertulia_mails_waiting 1$/m);
  await using without = await Forum.start('sqlite');
  await assert.rejects(operate(without, 'mail-test', 'ana@ejemplo.es'), /SMTP_URL is not set/);
});

test('shows nothing about mail without a mail server', async () => {
  await using forum = await Forum.start('sqlite');
  const ana = await forum.person('Ana');
  const { token } = ana;
  assert.deepEqual(await forum.json('GET', apiRoutes.notificationSettings, { token }), {
    email: null,
    push: null,
    moderation: 'hour',
    follow: { chosen: null, community: 'mine' },
    channels: true,
    important: 'now',
  });
  const body = { email: { every: 'day' } };
  for (const refused of [
    await forum.call('PATCH', apiRoutes.notificationSettings, { token, body }),
    await forum.call('POST', apiRoutes.sendConfirmation, { token }),
    await forum.call('POST', apiRoutes.recover, { body: { email: ana.email } }),
  ]) {
    await expectProblem(refused, 403, 'mail_unavailable');
  }
  const rows = await forum.services.db.selectFrom('mails').select('id').execute();
  assert.deepEqual(rows, []);
  assert.match(await (await forum.call('GET', '/recover')).text(), /"hasMail":false/);
});
