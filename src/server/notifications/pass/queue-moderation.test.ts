import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, Forum, type Person } from '../../../../test/forum/forum.ts';
import { decided, openAppeal, openCase, staff, user } from '../../../../test/forum/moderators.ts';
import { header, mailedForum } from '../../../../test/mail/mailed-forum.ts';
import { setRole } from '../../moderation/members/roles.ts';
import { queueModeration } from './queue-moderation.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const site = mailedForum();
const { wait, sent, sendAll, settingsOf } = site;
const roleOf = (person: Person, role: 'member' | 'moderator') =>
  setRole({ ...site.forum.services, actorName: 'ada', note: '' }, person.id, role);

/** Moderators of earlier tests get no mail. */
async function moderator(): Promise<Person> {
  const { db } = site.forum.services;
  await db.updateTable('accounts').set({ mail_moderation: 'never' }).execute();
  for (const table of ['reports', 'cases', 'appeals'] as const)
    await db.deleteFrom(table).execute();
  const person = await site.confirmed('Eva', 'never');
  await roleOf(person, 'moderator');
  await setModeration(person, 'hour');
  return person;
}

const setModeration = ({ token }: Person, moderation: string) =>
  site.forum.json('PATCH', '/api/user/notification-settings', { token, body: { moderation } });

const report = (person: Person) => openCase(site.forum, user(person), person.id);

/** A person whose mail about the address is not counted. */
async function member(name?: string): Promise<Person> {
  const person = await site.forum.person(name);
  await sendAll();
  site.server.take();
  return person;
}

test('a moderator is mailed of what has waited for an hour, once an hour and once for each thing, and again a day later', async () => {
  const [eva, ana] = [await moderator(), await member('Ana Denunciada')];
  await report(ana);
  wait(hourMs - minuteMs);
  assert.deepEqual(await sent(), []);
  wait(2 * minuteMs);
  const [mail, ...others] = await sent();
  assert.deepEqual([mail?.recipients, others], [[eva.email], []]);
  assert.equal(mail?.subject, '1 pendiente de moderar en tertulia');
  assert.match(mail?.text ?? '', /https:\/\/foro\.example\/moderation\n/);
  assert.doesNotMatch(mail?.text ?? '', /Denunciada/);
  await report(await member());
  wait(hourMs - minuteMs);
  assert.deepEqual(await sent(), []);
  wait(2 * minuteMs);
  assert.equal((await sent())[0]?.subject, '2 pendientes de moderar en tertulia');
  for (let hours = 0; hours < 23; hours++) {
    wait(hourMs);
    assert.deepEqual(await sent(), []);
  }
  wait(hourMs);
  assert.equal((await sent()).length, 1);
});

test('no mail is sent about a case that concerns the moderator, to whoever refused it by a link in it, or after the role was lost', async () => {
  const eva = await moderator();
  await report(eva);
  const luis = await member();
  await roleOf(luis, 'moderator');
  const subject = user(await member());
  const { id } = await decided(site.forum, luis, { subject, action: 'silence', days: 1 });
  wait(2 * hourMs);
  assert.deepEqual(await sent(), []);
  await openAppeal(site.forum, id, eva.id);
  wait(2 * hourMs);
  assert.deepEqual(await sent(), []);
  await report(await member());
  wait(2 * hourMs);
  const [mail] = await sent();
  assert.equal(header(mail, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const link = /<(.*)>/.exec(header(mail, 'list-unsubscribe') ?? '')?.[1] ?? '';
  assert.ok(mail?.text?.includes(link));
  const { pathname } = new URL(link);
  const page = await (await site.forum.call('GET', pathname)).text();
  assert.match(page, /¿No recibir más correos sobre lo que espera a quien modera\?/);
  assert.equal((await settingsOf(eva)).moderation, 'hour');
  assert.equal((await site.forum.call('POST', pathname)).status, 200);
  assert.equal((await settingsOf(eva)).moderation, 'never');
  await report(await member());
  wait(2 * hourMs);
  assert.deepEqual(await sent(), []);
  await setModeration(eva, 'hour');
  site.server.refuse = () => ({ code: 450, text: 'later' });
  await sendAll(true);
  site.server.refuse = undefined;
  await roleOf(eva, 'member');
  wait(hourMs);
  assert.deepEqual(await sent(), []);
});

test('the mails of a moderator count towards those of a day', async () => {
  await moderator();
  const counts: number[] = [];
  for (let hour = 0; hour < 12; hour++) {
    await report(await member());
    wait(hourMs + minuteMs);
    counts.push((await sent()).length);
  }
  // One person has confirmed the address.
  assert.deepEqual(counts, [...Array(8).fill(1), ...Array(4).fill(0)]);
  wait(dayMs);
  assert.equal((await sent()).length, 1);
});

for (const engine of engines) {
  test(`posts and people that wait for approval are found, and mailed to confirmed addresses only (${engine})`, async () => {
    const mail = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'foro@foro.example' };
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const settings = { ...mail, PUBLIC_URL: 'https://foro.example' };
    await using forum = await Forum.start(engine, settings, { now });
    const { db } = forum.services;
    const [eva] = [await staff(forum), await staff(forum)];
    const queued = async () => {
      await queueModeration(forum.services);
      const rows = db.selectFrom('mails').select('account_id').where('kind', '=', 'moderation');
      return (await rows.execute()).map(({ account_id }) => account_id);
    };
    const { id } = await forum.person();
    await db.updateTable('accounts').set({ admission: 'pending' }).where('id', '=', id).execute();
    aheadMs += 2 * hourMs;
    assert.deepEqual(await queued(), []);
    await db
      .updateTable('accounts')
      .set({ email_confirmed_at_ms: 1 })
      .where('id', 'in', [eva.id, id])
      .execute();
    assert.deepEqual(await queued(), [eva.id]);
  });
}
