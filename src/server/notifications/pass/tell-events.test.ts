import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { comment, decided, staff, undone } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { EventEdit, NewRsvp } from '../../../shared/events.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';
import type { NotificationPage } from '../../../shared/notifications.ts';
import { timeIn } from '../../system/zones.ts';
import { tellOfEvents } from './tell-events.ts';

const minuteMs = 60_000;
const zone = 'Europe/Madrid';

onBothEngines('dates', (forum, wait, engine) => {
  const pass = () => tellOfEvents(forum().services, forum().services.now());
  /** A pass that finds what differs, and one that tells of it. */
  const later = async (ms = 2 * minuteMs) => {
    await pass();
    wait(ms);
    await pass();
  };
  const waitUntil = (time: Temporal.ZonedDateTime) =>
    wait(time.epochMilliseconds - forum().services.now());
  const today = () => timeIn(zone, forum().services.now());
  const told = async ({ token }: Person) => {
    const { data } = await forum().json<NotificationPage>('GET', apiRoutes.notifications, {
      token,
    });
    return data.map((one) => {
      const parts = notificationKinds[one.kind].title(one);
      return [parts.join(''), ...(one.excerpt ? [one.excerpt] : [])].join('\n');
    });
  };
  const answer = ({ token }: Person, id: string, body: NewRsvp) =>
    forum().json('PUT', apiRoutes.rsvp(id, 1), { token, body });
  let revision = 0;
  const change = ({ token }: Person, id: string, body: EventEdit) =>
    forum().json('PATCH', apiRoutes.event(id, 1), {
      token,
      body,
      headers: { 'if-match': `"${++revision}"` },
    });
  const at = (day: Temporal.PlainDate, hour: string) => `${day.toString()}T${hour}`;

  async function scene(more: { capacity?: number } = {}) {
    await changeSettings(forum(), { zone });
    revision = 0;
    const author = await forum().person('Ana');
    const { _id: id } = await forum().channel(author, 'Ensayos');
    const day = today().toPlainDate().add({ days: 10 });
    const days = [day, day.add({ days: 7 })];
    await forum().comment(author, id, '', {
      event: {
        ...{ title: 'Ensayo', location: 'Local', allDay: false, ...more },
        dates: days.map((each) => ({ start: at(each, '20:30') })),
      },
    });
    const people: Person[] = [];
    for (const name of ['Bea', 'Leo', 'Eva']) people.push(await forum().person(name));
    const [bea, leo, eva] = people as [Person, Person, Person];
    return { author, id, day, bea, leo, eva };
  }

  test('tell of a change after two minutes those who come or may come, with what it was', async () => {
    const { author, id, day, bea, leo, eva } = await scene();
    await answer(bea, id, { date: 0, answer: 'yes' });
    await answer(leo, id, { date: 'all', answer: 'maybe' });
    await answer(eva, id, { date: 0, answer: 'no' });
    await pass();
    await change(author, id, { dates: [{ position: 0, start: at(day, '19:00') }] });
    await later(minuteMs);
    assert.deepEqual(await told(bea), []);
    wait(minuteMs);
    await pass();
    const [line] = await told(bea);
    assert.match(
      line ?? '',
      /^«Ensayo»: \S+ \d+ de \S+, 19:00, en Local \(antes, \S+ \d+ de \S+, 20:30\)$/,
    );
    assert.deepEqual(await told(leo), [line]);
    assert.deepEqual([await told(eva), await told(author)], [[], []]);
    await later();
    assert.equal((await told(bea)).length, 1, 'once');
  });

  test('tell nobody of what was undone, and of several dates in one notification', async () => {
    const { author, id, bea } = await scene();
    await answer(bea, id, { date: 'all', answer: 'yes' });
    await change(author, id, { dates: [{ position: 0, cancelled: true }] });
    await pass();
    wait(minuteMs);
    await change(author, id, { dates: [{ position: 0, cancelled: false }] });
    await later();
    assert.deepEqual(await told(bea), []);
    await change(author, id, {
      location: 'Casa de Ana',
      dates: [{ position: 1, cancelled: true, reason: 'Es fiesta' }],
    });
    await later();
    const [text = '', ...others] = await told(bea);
    assert.deepEqual(others, []);
    assert.match(
      text,
      /^«Ensayo»: cambian 2 fechas\n.*20:30, en Casa de Ana \(antes, en Local\)\n.*no se hace \(Es fiesta\)$/,
    );
  });

  test('tell of a deletion and of a decision like of a cancellation, and of the undoing of each', async () => {
    const { author, id, bea } = await scene();
    await answer(bea, id, { date: 0, answer: 'yes' });
    const key = apiRoutes.channelComment(id, 1);
    await forum().json('DELETE', key, { token: author.token });
    await later();
    assert.match((await told(bea))[0] ?? '', /^«Ensayo»: .*: no se hace$/);
    await forum().json('POST', apiRoutes.restoreComment(id, 1), { token: author.token });
    await later();
    assert.match((await told(bea))[0] ?? '', /^«Ensayo»: .*: sí se hace$/);
    const eva = await staff(forum());
    const decision = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    await later();
    const [hidden] = await told(bea);
    assert.match(hidden ?? '', /^Una fecha que ya no se ve: [^,]+, 20:30: no se hace$/);
    await undone(forum(), eva, decision);
    await later();
    assert.match((await told(bea))[0] ?? '', /^«Ensayo»: .*: sí se hace$/);
  });

  test('of which nobody is reminded any more once people were told that they do not take place', async () => {
    const { author, id, day, bea } = await scene();
    await answer(bea, id, { date: 0, answer: 'yes' });
    const evening = day.subtract({ days: 1 });
    waitUntil(evening.toZonedDateTime({ timeZone: zone, plainTime: '18:00:01' }));
    await pass();
    assert.match((await told(bea))[0] ?? '', /recuerda/);
    await forum().json('DELETE', apiRoutes.channelComment(id, 1), { token: author.token });
    await later();
    const [line = '', ...others] = await told(bea);
    assert.match(line, /no se hace$/);
    assert.deepEqual(others, []);
  });

  test('tell of a change shortly before a date begins, though it has begun since', async () => {
    const { author, id, day, bea } = await scene();
    await answer(bea, id, { date: 0, answer: 'yes' });
    waitUntil(day.toZonedDateTime({ timeZone: zone, plainTime: '20:29' }));
    await change(author, id, { dates: [{ position: 0, cancelled: true }] });
    await later();
    assert.match((await told(bea))[0] ?? '', /^«Ensayo»: .*20:30, en Local: no se hace$/);
  });

  test('tell those who waited that there is room', async () => {
    const { id, bea, leo } = await scene({ capacity: 1 });
    await answer(bea, id, { date: 0, answer: 'yes' });
    await answer(leo, id, { date: 0, answer: 'yes' });
    await pass();
    assert.deepEqual(await told(leo), []);
    await answer(bea, id, { date: 0, answer: null });
    await pass();
    await pass();
    assert.equal((await told(leo)).length, 1);
    assert.match((await told(leo))[0] ?? '', /^«Ensayo»: ya hay sitio, .*20:30, en Local$/);
  });

  test('remind those who come in the evening before, and not later than at ten', async () => {
    const { author, id, day, bea, leo } = await scene({ capacity: 1 });
    await answer(bea, id, { date: 'all', answer: 'yes' });
    await answer(leo, id, { date: 'all', answer: 'yes' });
    const evening = day.subtract({ days: 1 });
    waitUntil(evening.toZonedDateTime({ timeZone: zone, plainTime: '17:59' }));
    await pass();
    assert.deepEqual(await told(bea), []);
    waitUntil(evening.toZonedDateTime({ timeZone: zone, plainTime: '18:00:01' }));
    await pass();
    await pass();
    assert.equal((await told(bea)).length, 1);
    assert.match((await told(bea))[0] ?? '', /^«Ensayo»: recuerda, .*20:30, en Local$/);
    assert.deepEqual(await told(leo), [], 'who waits does not come');
    await change(author, id, { dates: [{ position: 0, cancelled: true }] });
    assert.deepEqual(await told(bea), [], 'nobody is reminded of what is cancelled');
    await change(author, id, { dates: [{ position: 0, cancelled: false }] });
    assert.equal((await told(bea)).length, 1);
    waitUntil(day.toZonedDateTime({ timeZone: zone, plainTime: '20:30:01' }));
    await pass();
    assert.equal((await told(bea)).length, 1, 'as in the morning of a whole day');
    wait(2 * 3_600_000);
    await pass();
    assert.deepEqual(await told(bea), [], 'nobody is reminded of what is over');
    // The next one, after the server was down.
    const night = evening.add({ days: 7 });
    waitUntil(night.toZonedDateTime({ timeZone: zone, plainTime: '22:01' }));
    await pass();
    assert.deepEqual(await told(bea), []);
  });

  test('are told of once, and people are reminded once, by two processes', async () => {
    const { author, id, day, bea, leo } = await scene({ capacity: 1 });
    const other = engine === 'postgres' ? await forum().another() : forum();
    const both = async () => {
      const now = forum().services.now();
      await Promise.all([pass(), tellOfEvents(other.services, now), pass()]);
    };
    try {
      await answer(bea, id, { date: 'all', answer: 'yes' });
      await answer(leo, id, { date: 1, answer: 'yes' });
      await change(author, id, { location: 'Plaza' });
      await both();
      wait(2 * minuteMs);
      await both();
      assert.equal((await told(bea)).length, 1);
      await answer(bea, id, { date: 1, answer: null });
      await both();
      assert.match((await told(leo))[0] ?? '', /ya hay sitio/);
      assert.equal((await told(leo)).length, 2);
      const evening = day.subtract({ days: 1 });
      waitUntil(evening.toZonedDateTime({ timeZone: zone, plainTime: '18:00:01' }));
      await both();
      assert.equal((await told(bea)).length, 2);
      assert.match((await told(bea))[0] ?? '', /recuerda/);
    } finally {
      if (other !== forum()) await other.stop();
    }
  });

  test('have their instants derived anew at a start, as after a change of the zone, without telling anybody', async () => {
    const { id, bea } = await scene();
    await answer(bea, id, { date: 0, answer: 'yes' });
    const { db } = forum().services;
    const read = () =>
      db
        .selectFrom('event_dates')
        .select(['starts_at_ms', 'ends_at_ms', 'remind_at_ms'])
        .where('channel_id', '=', id)
        .orderBy('position')
        .execute();
    const right = await read();
    const hourMs = 60 * minuteMs;
    // As derived from rules of the zone that are an hour off.
    await db
      .updateTable('event_dates')
      .set(({ eb }) => ({
        starts_at_ms: eb('starts_at_ms', '+', hourMs),
        ends_at_ms: eb('ends_at_ms', '+', hourMs),
        remind_at_ms: eb('remind_at_ms', '+', hourMs),
      }))
      .where('channel_id', '=', id)
      .execute();
    await pass();
    assert.notDeepEqual(await read(), right);
    await tellOfEvents(forum().services, 0);
    assert.deepEqual(await read(), right);
    const [shown] = await forum().allComments(id);
    assert.equal(Date.parse(shown?.event?.dates[0]?.startsAt ?? ''), right[0]?.starts_at_ms);
    await later();
    assert.deepEqual(await told(bea), []);
  });

  test('begin and end with the clock, which open pages and caches are told of', async () => {
    const { id, day } = await scene();
    const phases = async () => {
      const [first] = await forum().allComments(id);
      return first?.event?.dates.map(({ phase }) => phase).join();
    };
    assert.equal(await phases(), 'coming,coming');
    waitUntil(day.toZonedDateTime({ timeZone: zone, plainTime: '20:30:01' }));
    await pass();
    assert.equal(await phases(), 'on,coming');
    wait(2 * 3_600_000);
    await pass();
    assert.equal(await phases(), 'over,coming');
    wait(-3 * 3_600_000);
    await pass();
    assert.equal(await phases(), 'coming,coming', 'the clock was ahead');
  });
});
