import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { mailedForum } from '../../../../test/mail/mailed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const hourMs = 3_600_000;

const site = mailedForum();
const { now, wait, setTime, sent, sendAll, setEvery, confirmed, answered, settingsOf } = site;

/** Moves the clock to the next time when it is this hour in UTC, on a weekday with this number; 0 is Sunday. */
function goTo(hour: number, weekday: number): void {
  const time = new Date(Math.ceil(now() / hourMs) * hourMs);
  while (time.getUTCHours() !== hour || time.getUTCDay() !== weekday)
    time.setTime(time.getTime() + hourMs);
  setTime(time.getTime());
}

const written = ({ channelId, other }: { channelId: string; other: Person }) =>
  site.forum.comment(other, channelId, 'Otra cosa', { replyTo: 1 });

const localTime = (timeZone: string) =>
  new Intl.DateTimeFormat('es', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(now());

/** Makes a pass every hour. @returns the local times of the mails in this zone */
async function sentWithin(
  hours: number,
  zone: string,
  each: (hour: number) => unknown = () => {},
): Promise<string[]> {
  const times: string[] = [];
  for (let hour = 0; hour < hours; hour++) {
    await each(hour);
    await sendAll(true).catch(() => {});
    for (const _ of site.server.take()) times.push(localTime(zone));
    wait(hourMs);
  }
  return times;
}

test('a daily digest comes at eight, whenever the news came and the last one was sent', async () => {
  await changeSettings(site.forum, { zone: 'Europe/Madrid' });
  setTime(Date.UTC(2027, 2, 26, 12));
  const ana = await confirmed('Ana', 'day');
  const talk = await answered(ana);
  // Friday at 13:00, with news every five hours, over the night when the clocks change.
  const times = await sentWithin(6 * 24, 'Europe/Madrid', async (hour) => {
    // The mail server takes nothing from Saturday at 7:00 until 20:00, and from Monday at 7:00 until Tuesday at 3:00.
    const isDown = (hour >= 18 && hour < 31) || (hour >= 65 && hour < 85);
    site.server.refuse = isDown ? () => ({ code: 451, text: 'busy' }) : undefined;
    if (hour % 5 === 0) await written(talk);
  });
  assert.deepEqual(times, ['sáb, 23:00', 'dom, 8:00', 'mar, 8:00', 'mié, 8:00', 'jue, 8:00']);
});

test('a weekly digest comes on Monday at eight, or later if it could not be sent then', async () => {
  await changeSettings(site.forum, { zone: 'Europe/Madrid' });
  goTo(12, 3);
  const ana = await confirmed('Ana', 'week');
  const talk = await answered(ana);
  const times = await sentWithin(14 * 24, 'Europe/Madrid', async (hour) => {
    if (hour % 30 === 0) await written(talk);
    // The mail server takes nothing on the second Monday.
    const isDown = hour >= 11 * 24 && hour < 12 * 24 + 11;
    site.server.refuse = isDown ? () => ({ code: 451, text: 'busy' }) : undefined;
  });
  assert.deepEqual(times, ['lun, 8:00', 'mar, 8:00']);
});

test("whoever changes the rhythm or the zone is sent what today's digest would have had, and no second one on a day", async () => {
  await changeSettings(site.forum, { zone: 'Europe/Madrid' });
  goTo(11, 2);
  const ana = await confirmed('Ana', 'hour');
  const talk = await answered(ana);
  wait(hourMs);
  assert.equal((await sent()).length, 1);
  await setEvery(ana, 'day');
  await written(talk);
  assert.deepEqual(await sentWithin(24, 'Europe/Madrid'), ['mié, 8:00']);
  await written(talk);
  await setEvery(ana, 'week');
  assert.deepEqual(await sentWithin(24, 'Europe/Madrid'), []);
  // News of Wednesday and of now, on Thursday in the afternoon.
  await setEvery(ana, 'day');
  await written(talk);
  const thursday = localTime('Europe/Madrid');
  assert.deepEqual(await sentWithin(1, 'Europe/Madrid'), [thursday]);
  // In Caracas it is still the same day.
  const travel = { every: 'week', zone: 'America/Caracas' };
  const body = (email: object) => ({ token: ana.token, body: { email } });
  await site.forum.json('PATCH', apiRoutes.notificationSettings, body(travel));
  await setEvery(ana, 'day');
  await written(talk);
  assert.deepEqual(await sentWithin(24, 'America/Caracas'), ['vie, 8:00']);
  await written(talk);
  await setEvery(ana, 'never');
  await setEvery(ana, 'day');
  assert.deepEqual(await sentWithin(30, 'Europe/Madrid'), []);
});

test("the zone is what the browser names with the rhythm, or the community's, and stays with everything else", async () => {
  const ana = await site.forum.person('Ana');
  const change = (email: object) =>
    site.forum.json('PATCH', apiRoutes.notificationSettings, { token: ana.token, body: { email } });
  const zone = async () => (await settingsOf(ana)).email?.zone;
  await changeSettings(site.forum, {});
  assert.equal(await zone(), Temporal.Now.timeZoneId());
  await changeSettings(site.forum, { zone: 'America/Caracas' });
  assert.equal(await zone(), 'America/Caracas');
  await change({ every: 'week', zone: 'asia/kolkata' });
  assert.equal(await zone(), 'Asia/Kolkata');
  await change({ every: 'day' });
  const moderation = { token: ana.token, body: { moderation: 'never' } };
  await site.forum.json('PATCH', apiRoutes.notificationSettings, moderation);
  assert.equal(await zone(), 'Asia/Kolkata');
  for (const none of ['', 'Marte/Olimpo']) {
    await change({ every: 'day', zone: 'Asia/Kolkata' });
    await change({ every: 'week', zone: none });
    assert.equal(await zone(), 'America/Caracas');
  }
});

test('an account with a zone that the server does not know is mailed in the morning of the community, and stops no other', async () => {
  await changeSettings(site.forum, { zone: 'Europe/Madrid' });
  goTo(12, 2);
  const [ana, eva] = [await confirmed('Ana', 'day'), await confirmed('Eva', 'day')];
  await answered(ana);
  await answered(eva);
  const { db } = site.forum.services;
  await db.updateTable('accounts').set({ zone: 'Marte/Olimpo' }).where('id', '=', ana.id).execute();
  assert.deepEqual(await sentWithin(24, 'Europe/Madrid'), ['mié, 8:00', 'mié, 8:00']);
});
