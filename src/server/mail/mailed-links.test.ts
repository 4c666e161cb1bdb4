import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import type { Received } from '../../../test/mail/mail-server.ts';
import { header, mailedForum, tokenIn } from '../../../test/mail/mailed-forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { mailPasswordLink } from '../accounts/recovery/recover-by-mail.ts';
import { addressKey } from '../http/limits/concurrency.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const home = '203.0.113.1';
const newPassword = 'otra contraseña larga';

const site = mailedForum();
const { wait, sendAll, sent, settingsOf, confirm, confirmed, answered } = site;

const recover = (email: string, address = home) =>
  site.forum.call('POST', apiRoutes.recover, {
    headers: { 'x-forwarded-for': address },
    body: { email },
  });
/** Requests a link, and waits until its mail is queued or certainly is not. */
const recoverAndSend = async (email: string, count = 1) => {
  assert.equal((await recover(email)).status, 202);
  // Writes to one account run one after the other.
  await eventually('the mail with the link', async () => {
    await sendAll();
    return site.server.received.length >= count;
  });
  return site.server.take();
};
const setPassword = (mail: Received | undefined) =>
  site.forum.call('POST', apiRoutes.setPassword, {
    body: { token: tokenIn(mail), password: newPassword },
  });
const changeEmail = ({ token, password }: Person, email: string) =>
  site.forum.json('PATCH', apiRoutes.me, { token, body: { email, currentPassword: password } });

test('confirms an address with the link that sign-up sends, once', async () => {
  const ana = await site.forum.person('Ana');
  assert.deepEqual((await settingsOf(ana)).email, {
    confirmed: false,
    every: 'day',
    zone: Temporal.Now.timeZoneId(),
    problem: null,
  });
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.deepEqual(mail?.recipients, [ana.email]);
  assert.equal(mail?.from?.address, 'foro@foro.example');
  assert.equal(mail?.from?.name, 'tertulia');
  assert.equal(header(mail, 'auto-submitted'), 'auto-generated');
  assert.equal(header(mail, 'list-unsubscribe'), undefined);
  const token = tokenIn(mail);
  await expectProblem(await confirm(`${token}x`), 403, 'confirmation_dead');
  assert.equal((await confirm(token)).status, 204);
  assert.equal((await settingsOf(ana)).email?.confirmed, true);
  await expectProblem(await confirm(token), 403, 'confirmation_dead');
  assert.deepEqual(await sent(), []);
});

test('sends the link again, which replaces the former one and expires, unless the address is confirmed', async () => {
  const ana = await site.forum.person('Ana');
  const again = () => site.forum.call('POST', apiRoutes.sendConfirmation, { token: ana.token });
  const [first] = await sent();
  assert.equal((await again()).status, 204);
  // The queued mail would have an invalid link.
  assert.equal((await again()).status, 204);
  const [second, ...others] = await sent();
  assert.deepEqual(others, []);
  await expectProblem(await confirm(tokenIn(first)), 403, 'confirmation_dead');
  wait(3 * dayMs);
  await expectProblem(await confirm(tokenIn(second)), 403, 'confirmation_dead');
  assert.equal((await settingsOf(ana)).email?.problem, 'no_link');
  await again();
  const [third] = await sent();
  wait(3 * dayMs - minuteMs);
  assert.equal((await confirm(tokenIn(third))).status, 204);
  assert.equal((await again()).status, 204);
  assert.deepEqual(await sent(), []);
});

test('a changed address is unconfirmed, invalidates the links of the former one, and the former one is notified', async () => {
  const ana = await confirmed();
  const [recovery] = await recoverAndSend(ana.email);
  const former = ana.email;
  const changed = `nueva-${ana.email}`;
  await changeEmail(ana, changed);
  assert.equal((await settingsOf(ana)).email?.confirmed, false);
  const mails = await sent();
  const told = mails.find(({ recipients }) => recipients.includes(former));
  const asked = mails.find(({ recipients }) => recipients.includes(changed));
  assert.equal(mails.length, 2);
  assert.ok(told?.text && !told.text.includes(changed) && !told.html?.includes(changed));
  await expectProblem(await setPassword(recovery), 403, 'password_link_dead');
  await changeEmail(ana, `otra-${former}`);
  await expectProblem(await confirm(tokenIn(asked)), 403, 'confirmation_dead');
  // The second address was never confirmed.
  assert.deepEqual(
    (await sent()).map(({ recipients }) => recipients),
    [[`otra-${former}`]],
  );
});

test('sends a link to a new password to a confirmed address only, with the same response for every address', async () => {
  const [ana, bea] = [await confirmed(), await site.forum.person('Bea')];
  await sent();
  for (const email of [bea.email, 'nadie@ejemplo.es']) {
    assert.equal((await recover(email)).status, 202);
  }
  const mails = await recoverAndSend(ana.email.toUpperCase());
  assert.deepEqual(
    mails.map(({ recipients }) => recipients),
    [[ana.email]],
  );
  assert.equal((await setPassword(mails[0])).status, 200);
  await expectProblem(await setPassword(mails[0]), 403, 'password_link_dead');
  assert.equal((await site.forum.signIn(ana.email, newPassword)).status, 200);
});

test('links to a new password expire one by one, and using the first one invalidates the others', async () => {
  const ana = await confirmed();
  const [first] = await recoverAndSend(ana.email);
  wait(20 * minuteMs);
  const [second] = await recoverAndSend(ana.email);
  const [third] = await recoverAndSend(ana.email);
  wait(10 * minuteMs);
  await expectProblem(await setPassword(first), 403, 'password_link_dead');
  assert.equal((await setPassword(second)).status, 200);
  await expectProblem(await setPassword(third), 403, 'password_link_dead');
});

test('a stranger who requests links neither invalidates those of the owner nor uses up the mails of the day, and an account gets twenty', async () => {
  const ana = await confirmed();
  for (let i = 0; i < 13; i++) await recover(ana.email, `2001:db8::${i}`);
  const [first, ...others] = await recoverAndSend(ana.email, 4);
  assert.equal(others.length, 3);
  const [again] = await recoverAndSend(ana.email);
  assert.ok(again);
  for (let i = 1; i < 20; i++) {
    await mailPasswordLink(site.forum.services, ana.email, addressKey(`2001:db8:0:${i}::1`));
  }
  assert.equal((await sent()).length, 15);
  assert.equal((await setPassword(first)).status, 200);

  const renewed = { ...ana, password: newPassword };
  const { token } = await site.forum.newSession(renewed);
  const owner = { ...renewed, token };
  wait(hourMs);
  await answered(owner);
  wait(10 * minuteMs);
  assert.match((await sent())[0]?.subject ?? '', /te respondió/);
  await changeEmail(owner, `nueva-${ana.email}`);
  assert.equal((await sent()).length, 2);
});
