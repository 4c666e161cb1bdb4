import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { hideContent, staff } from '../../../../test/forum/moderators.ts';
import { mailedForum } from '../../../../test/mail/mailed-forum.ts';
import type { Reach } from '../../../shared/announcements.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { dayText } from '../../../shared/event-texts.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';
import type { Important } from '../../../shared/notification-settings.ts';
import { dayMs } from '../../system/times.ts';
import { timeIn } from '../../system/zones.ts';
import { tellOfAnnouncements } from './tell-announcements.ts';

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

test('a date that changed is mailed with the hour that it had, and with links that answer without signing in', async () => {
  await changeSettings(site.forum, { zone: 'Europe/Madrid' });
  const ana = await confirmed('Ana', 'never');
  const author = await site.forum.person('Bea');
  const { _id: id } = await site.forum.channel(author, 'Ensayos');
  const day = timeIn('Europe/Madrid', site.now()).toPlainDate().add({ days: 10 });
  await site.forum.comment(author, id, '', {
    event: {
      ...{ title: 'Ensayo general', location: 'Local de la calle Mayor', allDay: false },
      dates: [{ start: `${day}T20:30`, end: `${day}T22:00` }],
    },
  });
  const answers = async () => (await site.forum.allComments(id))[0]?.event?.dates[0];
  const body = { date: 0, answer: 'maybe' };
  await site.forum.json('PUT', apiRoutes.rsvp(id, 1), { token: ana.token, body });
  await sent();
  await site.forum.json('PATCH', apiRoutes.event(id, 1), {
    token: author.token,
    body: { dates: [{ position: 0, start: `${day}T19:00`, end: `${day}T21:00` }] },
    headers: { 'if-match': '"1"' },
  });
  await sent();
  wait(2 * 60_000);
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  const at = dayText(day.toString());
  assert.equal(
    mail?.subject,
    `«Ensayo general»: ${at}, 19:00–21:00, en Local de la calle Mayor (antes, ${at}, 20:30–22:00)`,
  );
  const links = new Map(
    [...(mail?.text ?? '').matchAll(/^(Voy|Quizá|No voy): (\S+)$/gm)].map(
      ([, answer = '', url = '']) => [answer, new URL(url)],
    ),
  );
  assert.deepEqual([...links.keys()], ['Voy', 'Quizá', 'No voy']);
  const path = links.get('Voy')?.pathname ?? '';
  assert.equal((await site.forum.call('POST', path)).status, 200);
  assert.deepEqual([(await answers())?.yes, (await answers())?.maybe], [1, 0]);
});

test('an announcement is mailed whole, as it reads then, and not once it is hidden or its day is over', async () => {
  await changeSettings(site.forum, { zone: 'Europe/Madrid' });
  // Those of the tests above.
  await site.forum.services.db.updateTable('accounts').set({ important: 'never' }).execute();
  const eva = await staff(site.forum);
  await confirmed('Ana', 'never');
  const digest = await confirmed('Leo', 'hour');
  await site.forum.json('PATCH', apiRoutes.notificationSettings, {
    token: digest.token,
    body: { important: 'digest' },
  });
  const { _id: id } = await site.forum.channel(eva, 'Secretaría');
  const until = timeIn('Europe/Madrid', site.now()).toPlainDate().toString();
  const announce = (text: string) => site.forum.comment(eva, id, text, { announcement: { until } });
  const text = `Asamblea el jueves. ${'Orden del día. '.repeat(40)}Fin`;
  const reach = await site.forum.json<Reach>('GET', apiRoutes.reach, eva);
  assert.deepEqual([reach.members - reach.onlyHere, reach.mail, reach.mailDays], [2, 2, 1]);
  const { number } = await announce('Asamblea');
  await site.forum.json('PATCH', apiRoutes.channelComment(id, number), {
    token: eva.token,
    body: { comment: text },
    headers: { 'if-match': '"1"' },
  });
  assert.deepEqual(await sent(), []);
  wait(2 * 60_000);
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.match(mail?.subject ?? '', /Secretaría/);
  assert.ok(mail?.text?.replaceAll(/\s+/g, ' ').includes(text));

  // Written, but hidden before it is mailed; and one whose day ends before it is.
  const hidden = await announce('Se retira');
  wait(2 * 60_000);
  await tellOfAnnouncements(site.forum.services);
  await hideContent(site.forum, hidden.id);
  const later = await sent();
  await announce('Solo hoy');
  wait(2 * 60_000);
  await tellOfAnnouncements(site.forum.services);
  wait(2 * dayMs);
  later.push(...(await sent()));
  assert.ok(!later.some((one) => one.text?.includes('Solo hoy') || one.text?.includes('retira')));
});
