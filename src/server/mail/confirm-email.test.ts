import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { mailAll } from '../../../test/mail/mail-all.ts';
import { MailServer } from '../../../test/mail/mail-server.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { NotificationSettings } from '../../shared/notification-settings.ts';

const dayMs = 86_400_000;

const resend = (forum: Forum, { token }: Person, address = '') =>
  forum.call('POST', apiRoutes.sendConfirmation, { token, headers: from(address) });
const change = (forum: Forum, person: Person, email: string, address = '') =>
  forum.call('PATCH', apiRoutes.me, {
    token: person.token,
    headers: from(address),
    body: { email, currentPassword: person.password },
  });
const from = (address: string): Record<string, string> =>
  address ? { 'x-forwarded-for': address } : {};

async function expectTooMany(response: Response, detail: RegExp): Promise<void> {
  const seconds = Number(response.headers.get('retry-after'));
  assert.ok(seconds > 86_000 && seconds <= 86_400, `${seconds} s`);
  assert.match((await expectProblem(response, 429, 'too_many_requests')).detail, detail);
}

async function problemOf(forum: Forum, { token }: Person) {
  const { email } = await forum.json<NotificationSettings>('GET', apiRoutes.notificationSettings, {
    token,
  });
  return email?.problem;
}

test('a mailbox gets three confirmation links a day, whatever accounts and processes request them', async () => {
  await using server = await MailServer.start();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  await using forum = await Forum.start('postgres', server.settings, { now });
  await using other = await forum.another();
  const sent = async () => {
    await mailAll(forum.services);
    return server.take().flatMap(({ recipients }) => recipients);
  };
  // Addresses that mail cannot be sent to count towards no mailbox.
  for (const email of ['eva@b.example/1', 'eva@b.example?2', 'eva@b.example#3'])
    assert.equal(await problemOf(forum, await forum.person('Eva', email)), 'refused');
  const people = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? other : forum).person('Ana', `${i % 3 ? 'Eva' : 'eva'}+${i}@b.example`),
    ),
  );
  assert.equal((await sent()).length, 3);
  const problems = await Promise.all(people.map((person) => problemOf(forum, person)));
  assert.equal(problems.filter((problem) => problem === 'no_link').length, 9);

  const told = /A ese buzón ya le hemos enviado hoy 3 enlaces .* dentro de 24 horas\.$/;
  for (const person of people.slice(0, 4)) await expectTooMany(await resend(forum, person), told);
  const ana = await forum.person('Ana');
  const changed = 'EVA@b.example';
  await expectTooMany(await change(other, ana, changed), told);
  assert.equal(await problemOf(forum, ana), null);
  assert.deepEqual(await sent(), [ana.email]);

  aheadMs = 3 * dayMs;
  const [late = ana] = people.filter((_, i) => problems[i] === 'no_link');
  assert.equal((await resend(forum, late)).status, 204);
  assert.equal(await problemOf(forum, late), null);
  assert.equal((await change(forum, ana, changed)).status, 200);
  assert.deepEqual((await sent()).sort(), [changed, late.email].sort());
});

test('sixty people who sign up behind one address are all sent their link, and what exceeds its limit is sent last, not refused', async () => {
  await using server = await MailServer.start();
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1', MAIL_DAILY_LIMIT: '100' };
  await using forum = await Forum.start('sqlite', { ...server.settings, ...env });
  const recipients = async () => {
    await mailAll(forum.services);
    return server.take().flatMap((mail) => mail.recipients);
  };
  const people: Person[] = [];
  for (let i = 0; i < 60; i++) people.push(await forum.person());
  const ranks = forum.services.db.selectFrom('mails').select('rank').distinct();
  assert.equal((await ranks.execute()).length, 1, 'none of them waits for the others');
  assert.deepEqual((await recipients()).sort(), people.map(({ email }) => email).sort());
  const [ana, eva] = people as [Person, Person];
  // Uses up the limit. A mailbox gets three links.
  for (let i = 0; i < 140; i++) await resend(forum, i % 2 ? ana : eva);
  assert.deepEqual((await recipients()).sort(), [ana.email, eva.email].sort());
  const late = await forum.person();
  assert.equal(await problemOf(forum, late), null);
  assert.equal((await change(forum, eva, `nueva-${eva.email}`)).status, 200);
  assert.equal((await resend(forum, people[2] as Person)).status, 204);
  const elsewhere = await forum.person();
  assert.equal((await resend(forum, elsewhere, '203.0.113.9')).status, 204);
  const [first, ...others] = await recipients();
  assert.equal(first, elsewhere.email);
  assert.deepEqual(others.sort(), [late.email, `nueva-${eva.email}`, people[2]?.email].sort());
  // They leave three tenths of the day's mails to others.
  for (let i = 0; i < 20; i++) await forum.person();
  assert.equal((await recipients()).length, 4);
});
