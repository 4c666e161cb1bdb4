import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, hideContent, staff, user } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment, Mine } from '../../../shared/comments.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import type { Attendee, EventEdit, NewEvent, NewRsvp, RsvpResult } from '../../../shared/events.ts';
import { withQuery } from '../../../shared/routes.ts';
import { dayMs } from '../../system/times.ts';
import { serverZone, timeIn } from '../../system/zones.ts';

/** A year that is always ahead, and within the five years that dates may be ahead. */
const year = new Date().getFullYear() + 2;
/** The last Sunday of March, when Madrid skips the hour after two. */
const skipped = new Date(Date.UTC(year, 2, 31));
skipped.setUTCDate(31 - skipped.getUTCDay());
const skippedDay = skipped.toISOString().slice(0, 10);

const rehearsal: NewEvent = {
  title: 'Ensayo general',
  location: 'Local de la plaza',
  zone: 'Europe/Madrid',
  allDay: false,
  dates: [
    { start: `${year}-06-03T20:30`, end: `${year}-06-03T22:00` },
    { start: `${year}-06-10T20:30` },
  ],
};

onBothEngines('dates', (forum, wait) => {
  const scene = async (event: Partial<NewEvent> = {}) => {
    await changeSettings(forum(), { zone: 'Europe/Madrid' });
    const author = await forum().person('Ana');
    const channel = await forum().channel(author, 'Ensayos');
    const comment = await forum().comment(author, channel._id, '', {
      event: { ...rehearsal, ...event },
    });
    return { author, channel, comment, id: channel._id };
  };
  const answer = ({ token }: Person, id: string, body: NewRsvp) =>
    forum().call('PUT', apiRoutes.rsvp(id, 1), { token, body });
  const change = ({ token }: Person, id: string, revision: number, body: EventEdit) =>
    forum().call('PATCH', apiRoutes.event(id, 1), {
      token,
      body,
      headers: { 'if-match': `"${revision}"` },
    });
  const read = async (id: string) => {
    const [comment] = await forum().allComments(id);
    assert.ok(comment?.event);
    return comment.event;
  };
  const counts = async (id: string, position = 0) => {
    const date = (await read(id)).dates[position];
    return date && [date.yes, date.waiting, date.maybe, date.no];
  };

  test('are part of a comment, as one reads them on the clock of the community', async () => {
    const { comment, id } = await scene({ zone: 'America/Lima' });
    assert.deepEqual(comment.event, {
      title: 'Ensayo general',
      location: 'Local de la plaza',
      zone: 'Europe/Madrid',
      allDay: false,
      capacity: null,
      revision: 1,
      dates: [
        {
          ...{ position: 0, start: `${year}-06-03T20:30`, end: `${year}-06-03T22:00` },
          startsAt: `${year}-06-03T18:30:00.000Z`,
          endsAt: `${year}-06-03T20:00:00.000Z`,
          ...{ phase: 'coming', cancelled: false, reason: '', yes: 0, waiting: 0, maybe: 0, no: 0 },
        },
        {
          ...{ position: 1, start: `${year}-06-10T20:30`, end: null },
          startsAt: `${year}-06-10T18:30:00.000Z`,
          endsAt: `${year}-06-10T20:30:00.000Z`,
          ...{ phase: 'coming', cancelled: false, reason: '', yes: 0, waiting: 0, maybe: 0, no: 0 },
        },
      ],
    });
    assert.deepEqual(await read(id), comment.event);
    assert.equal(comment.comment, '');
  });

  test('may be whole days, of which the last counts', async () => {
    const { comment } = await scene({
      allDay: true,
      dates: [{ start: `${year}-07-10`, end: `${year}-07-12` }],
    });
    const [date] = comment.event?.dates ?? [];
    assert.deepEqual(
      [date?.start, date?.end, date?.startsAt, date?.endsAt],
      [
        `${year}-07-10`,
        `${year}-07-12`,
        `${year}-07-09T22:00:00.000Z`,
        `${year}-07-12T22:00:00.000Z`,
      ],
    );
  });

  test('are refused in words when they do not exist, are past, too far ahead or end before they start', async () => {
    const { author, id } = await scene();
    const refused = async (dates: NewEvent['dates'], more: Partial<NewEvent> = {}) => {
      const body = { id, comment: '', event: { ...rehearsal, ...more, dates } };
      const { token } = author;
      const response = await forum().call('PUT', apiRoutes.comment, { token, body });
      const { errors } = await expectProblem(response, 400, 'invalid_fields');
      return errors?.map(({ field, message }) => `${field}: ${message}`).join(' ');
    };
    const at = (start: string, end: string | null = null) => [{ start, end }];
    assert.match((await refused(at(`${year}-02-31T20:00`))) ?? '', /no es un día y una hora/);
    assert.match((await refused(at(`${year}-02-03T25:00`))) ?? '', /no es un día y una hora/);
    assert.match((await refused(at(`${year}-02-03`))) ?? '', /no es un día y una hora/);
    assert.match((await refused(at('<b>'))) ?? '', /^event.dates: «» no es/);
    assert.match(
      (await refused(at(`${skippedDay}T02:30`))) ?? '',
      /^event.dates: El domingo \d+ de marzo a las 2:30 no existe: esa noche se adelanta el reloj/,
    );
    assert.match((await refused(at('2020-06-03T20:30'))) ?? '', /ya ha pasado/);
    assert.match((await refused(at(`${year + 6}-06-03T20:30`))) ?? '', /demasiado lejos/);
    const { start } = rehearsal.dates[0] ?? { start: '' };
    for (const end of [start, `${year}-06-03T20:29`, `${year - 1}-06-03T22:00`])
      assert.match((await refused(at(start, end))) ?? '', /antes de empezar/);
    assert.match((await refused([{ start }, { start }])) ?? '', /está dos veces/);
    for (const title of ['', ' ', ' \u200b ', '\u202e\u2067'])
      assert.match((await refused(at(start), { title })) ?? '', /event.title: .*vacío/);
    assert.match((await refused(at(start), { title: 'x'.repeat(81) })) ?? '', /Como mucho 80/);
    const body = { id, comment: '', event: { ...rehearsal, dates: Array(54).fill({ start }) } };
    const many = await forum().call('PUT', apiRoutes.comment, { token: author.token, body });
    await expectProblem(many, 400, 'invalid_fields');
  });

  test('have a title, a place and a reason in one line, without marks that would turn what follows', async () => {
    const { author, comment, id } = await scene({
      title: '\u202eEnsayo\u2066\ngeneral',
      location: '\u200fPlaza\u2028Mayor',
    });
    assert.deepEqual(
      [comment.event?.title, comment.event?.location],
      ['Ensayo general', 'Plaza Mayor'],
    );
    const cancelled = { position: 0, cancelled: true, reason: '\u202eLlueve\r\nmucho' };
    await change(author, id, 1, { title: 'Otro\u202e', dates: [cancelled] });
    const { title, dates } = await read(id);
    assert.deepEqual([title, dates[0]?.reason], ['Otro', 'Llueve mucho']);
  });

  test('are in the zone of the community, else in that of the writer, else in that of the server, and keep it', async () => {
    const author = await forum().person('Ana');
    const { _id: id } = await forum().channel(author, 'Ensayos');
    const writtenIn = async (zone: string | undefined) => {
      const event = { ...rehearsal, ...(zone !== undefined && { zone }) };
      const { event: written } = await forum().comment(author, id, '', { event });
      return [written?.zone, written?.dates[0]?.startsAt.slice(11, 16)];
    };
    const inLima = ['America/Lima', '01:30'];
    await changeSettings(forum(), { zone: '' });
    assert.deepEqual(await writtenIn('America/Lima'), inLima);
    for (const zone of ['Marte/Olimpo', '+02:00', "'; drop table accounts", ''])
      assert.equal((await writtenIn(zone))[0], serverZone, zone);
    await changeSettings(forum(), { zone: 'Europe/Madrid' });
    assert.deepEqual(await writtenIn('America/Lima'), ['Europe/Madrid', '18:30']);
    const { zone, dates } = await read(id);
    assert.deepEqual([zone, dates[0]?.startsAt.slice(11, 16)], inLima);
    const moved = [{ position: 0, start: `${year}-06-03T21:00`, end: null }];
    assert.equal((await change(author, id, 1, { dates: moved })).status, 200);
    assert.equal((await read(id)).dates[0]?.startsAt.slice(11, 16), '02:00');
  });

  test('at an hour that exists twice are at the first of both', async () => {
    const october = new Date(Date.UTC(year, 9, 31));
    october.setUTCDate(31 - october.getUTCDay());
    const day = october.toISOString().slice(0, 10);
    const { comment } = await scene({ dates: [{ start: `${day}T02:30` }] });
    assert.equal(comment.event?.dates[0]?.startsAt, `${day}T00:30:00.000Z`);
  });

  test('are answered by one press, for one or for all that are to come, and taken back by another', async () => {
    const { id } = await scene();
    const [bea, leo] = [await forum().person('Bea'), await forum().person('Leo')];
    const response = await answer(bea, id, { date: 0, answer: 'yes', people: 3 });
    assert.equal(response.status, 200);
    const { event, mine } = (await response.json()) as RsvpResult;
    assert.equal(event.dates[0]?.yes, 3);
    assert.deepEqual(mine, [{ position: 0, answer: 'yes', people: 3, isWaiting: false }]);
    await answer(leo, id, { date: 'all', answer: 'maybe' });
    assert.deepEqual(
      [await counts(id), await counts(id, 1)],
      [
        [3, 0, 1, 0],
        [0, 0, 1, 0],
      ],
    );
    await answer(bea, id, { date: 'all', answer: 'no' });
    await answer(leo, id, { date: 0, answer: null });
    assert.deepEqual(
      [await counts(id), await counts(id, 1)],
      [
        [0, 0, 0, 1],
        [0, 0, 1, 1],
      ],
    );
    const url = withQuery(apiRoutes.mine(id), { from: 1, to: 9 });
    const { rsvps } = await forum().json<Mine>('GET', url, { token: leo.token });
    assert.deepEqual(rsvps, [
      {
        channelId: id,
        number: 1,
        rsvps: [{ position: 1, answer: 'maybe', people: 1, isWaiting: false }],
      },
    ]);
  });

  test('keep how many come when one answers again without a number, as by a link in a mail', async () => {
    const { id } = await scene();
    const bea = await forum().person('Bea');
    await answer(bea, id, { date: 0, answer: 'yes', people: 4 });
    await answer(bea, id, { date: 'all', answer: 'yes' });
    assert.deepEqual([await counts(id), await counts(id, 1)].flat(), [4, 0, 0, 0, 1, 0, 0, 0]);
    await answer(bea, id, { date: 0, answer: 'maybe' });
    await answer(bea, id, { date: 0, answer: 'yes' });
    assert.deepEqual(await counts(id), [1, 0, 0, 0]);
  });

  test('refuse an answer of more people than there is room for, who would keep everybody waiting', async () => {
    const { id } = await scene({ capacity: 3 });
    const bea = await forum().person('Bea');
    const refused = await answer(bea, id, { date: 0, answer: 'yes', people: 4 });
    await expectProblem(refused, 400, 'invalid_fields');
    assert.equal((await answer(bea, id, { date: 0, answer: 'yes', people: 3 })).status, 200);
    assert.deepEqual(await counts(id), [3, 0, 0, 0]);
  });

  test('have room for so many, in the order of their turns, and nobody overtakes', async () => {
    const { author, id } = await scene({ capacity: 4 });
    const people: Person[] = [];
    for (const name of ['Bea', 'Leo', 'Eva', 'Iker']) people.push(await forum().person(name));
    const [bea, leo, eva, iker] = people as [Person, Person, Person, Person];
    const come = async (person: Person, count: number) => {
      const response = await answer(person, id, { date: 0, answer: 'yes', people: count });
      const { mine } = (await response.json()) as RsvpResult;
      return mine[0]?.isWaiting;
    };
    assert.equal(await come(bea, 3), false);
    assert.equal(await come(leo, 2), true);
    assert.equal(await come(eva, 1), true, 'a smaller group does not overtake');
    assert.deepEqual(await counts(id), [3, 3, 0, 0]);
    assert.equal(await come(leo, 1), false, 'fewer people keep the turn');
    assert.deepEqual(await counts(id), [4, 1, 0, 0]);
    assert.equal(await come(leo, 2), true, 'more people are a new turn');
    assert.deepEqual(await counts(id), [4, 2, 0, 0], 'so the next in turn has room');
    await expectProblem(await change(author, id, 1, { capacity: 3 }), 409, 'capacity_taken');
    assert.equal((await change(author, id, 1, { capacity: 6 })).status, 200);
    assert.deepEqual(await counts(id), [6, 0, 0, 0]);
    await decided(forum(), await staff(forum()), { subject: user(bea), action: 'hideAll' });
    assert.equal(await come(iker, 3), false);
    assert.deepEqual(await counts(id), [6, 0, 0, 0], 'a hidden account counts for nothing');
    const list = await forum().json<{ data: Attendee[] }>(
      'GET',
      withQuery(apiRoutes.rsvps(id, 1), { date: 0 }),
      { token: leo.token },
    );
    assert.deepEqual(
      list.data.map(({ name, people: count, isWaiting }) => [name, count, isWaiting]),
      [
        ['Eva', 1, false],
        ['Leo', 2, false],
        ['Iker', 3, false],
      ],
    );
    const asGuest = await forum().call('GET', withQuery(apiRoutes.rsvps(id, 1), { date: 0 }));
    await expectProblem(asGuest, 401, 'not_signed_in');
  });

  test('have room for the first twenty of sixty who answer at once', async () => {
    const { id } = await scene({ capacity: 20 });
    const people: Person[] = [];
    for (let i = 0; i < 60; i++) people.push(await forum().person(`P${i}`));
    const responses = await Promise.all(
      people.map((person) => answer(person, id, { date: 0, answer: 'yes' })),
    );
    const waited = new Map<string, boolean | undefined>();
    for (const [index, response] of responses.entries()) {
      const { mine } = (await response.json()) as RsvpResult;
      waited.set(people[index]?.id ?? '', mine[0]?.isWaiting);
    }
    const turns = await forum()
      .services.db.selectFrom('event_rsvps')
      .select(['account_id', 'turn'])
      .where('channel_id', '=', id)
      .orderBy('turn')
      .execute();
    assert.deepEqual(
      turns.map(({ account_id, turn }) => [turn, waited.get(account_id)]),
      people.map((_, index) => [index + 1, index >= 20]),
    );
    assert.deepEqual(await counts(id), [20, 40, 0, 0]);
  });

  test('are not answered once they have begun, are cancelled, deleted or hidden, or where there are none', async () => {
    const today = timeIn('Europe/Madrid', forum().services.now()).toPlainDate();
    const past = await scene({ dates: [{ start: `${today.add({ days: 1 })}T20:30` }] });
    const [cancelled, deleted, hidden, open] = [
      await scene(),
      await scene(),
      await scene(),
      await scene(),
    ];
    const both = [0, 1].map((position) => ({ position, cancelled: true }));
    await change(cancelled.author, cancelled.id, 1, { dates: both });
    const { token } = deleted.author;
    await forum().json('DELETE', apiRoutes.channelComment(deleted.id, 1), { token });
    await hideContent(forum(), `${hidden.id}-1`);
    const { _id: plain } = await forum().channel(open.author, 'Sin fechas');
    await forum().comment(open.author, plain, 'hola');
    wait(2 * dayMs);
    const bea = await forum().person('Bea');
    const refused: [string, NewRsvp['date'], number, ProblemCode][] = [
      [past.id, 0, 409, 'event_closed'],
      [past.id, 'all', 409, 'event_closed'],
      [cancelled.id, 0, 409, 'event_closed'],
      [cancelled.id, 'all', 409, 'event_closed'],
      [deleted.id, 0, 404, 'comment_not_found'],
      [hidden.id, 'all', 404, 'comment_not_found'],
      [plain, 'all', 404, 'event_not_found'],
      [open.id, 99, 404, 'event_not_found'],
      [open.id.replace(/.{12}$/, '000000000000'), 0, 404, 'channel_not_found'],
      ['otra', 0, 404, 'channel_not_found'],
      [open.id, -1, 400, 'invalid_fields'],
    ];
    for (const [id, date, status, code] of refused)
      for (const given of ['yes', null] as const)
        await expectProblem(await answer(bea, id, { date, answer: given }), status, code);
    const rows = await forum()
      .services.db.selectFrom('event_rsvps')
      .select('position')
      .where('account_id', '=', bea.id)
      .execute();
    assert.deepEqual(rows, []);
  });

  test('that two change at once are changed by the first, and the second is told', async () => {
    const { author, id } = await scene();
    const eva = await staff(forum());
    const responses = await Promise.all([
      change(author, id, 1, { title: 'Ensayo de voces' }),
      change(eva, id, 1, { location: 'Casa de Ana' }),
    ]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412]);
    const first = responses.find(({ status }) => status === 200) ?? assert.fail();
    assert.deepEqual(((await first.json()) as Comment).event, await read(id));
  });

  test('are changed and cancelled by their author and by moderators, with their own revision', async () => {
    const { author, comment, id } = await scene();
    const [eva, bea] = [await staff(forum()), await forum().person('Bea')];
    await expectProblem(await change(bea, id, 1, { title: 'Mío' }), 403, 'not_yours');
    const moved = { position: 0, start: `${year}-06-04T19:00`, end: null };
    const response = await change(eva, id, 1, { location: 'Casa de Ana', dates: [moved] });
    const changed = (await response.json()) as Comment;
    assert.deepEqual([response.status, response.headers.get('etag')], [200, '"2"']);
    assert.deepEqual([changed.revision, changed.editedAt], [comment.revision, null]);
    assert.deepEqual(
      [changed.event?.location, changed.event?.dates[0]?.startsAt],
      ['Casa de Ana', `${year}-06-04T17:00:00.000Z`],
    );
    await expectProblem(await change(author, id, 1, { title: 'Otro' }), 412, 'edit_conflict');
    const repeated = await change(eva, id, 1, { location: 'Casa de Ana', dates: [moved] });
    assert.equal(repeated.status, 200);
    const cancelled = { position: 1, cancelled: true, reason: 'Llueve' };
    await change(author, id, 2, { dates: [cancelled] });
    const { dates } = await read(id);
    assert.deepEqual([dates[1]?.cancelled, dates[1]?.reason], [true, 'Llueve']);
    const late = await answer(bea, id, { date: 1, answer: 'yes' });
    assert.match((await expectProblem(late, 409, 'event_closed')).detail, /se ha cancelado/);
    await change(author, id, 3, { dates: [{ position: 1, cancelled: false }] });
    assert.equal((await answer(bea, id, { date: 1, answer: 'yes' })).status, 200);
    const unknown = await change(author, id, 4, { dates: [{ position: 9, cancelled: true }] });
    await expectProblem(unknown, 404, 'event_not_found');
    await expectProblem(await answer(bea, id, { date: 9, answer: 'no' }), 404, 'event_not_found');
    await expectProblem(
      await forum().call('PATCH', apiRoutes.event(id, 1), { ...author, body: { title: 'x' } }),
      428,
      'revision_required',
    );
  });

  test('are not changed to what new ones may not be, nor once they have begun', async () => {
    const today = timeIn('Europe/Madrid', forum().services.now()).toPlainDate();
    const { author, id } = await scene({
      dates: [
        { start: `${today.add({ days: 1 })}T20:30` },
        { start: `${year}-06-10T20:30` },
        { start: `${year}-06-17T20:30` },
      ],
    });
    wait(2 * dayMs);
    const before = await read(id);
    const { token } = await forum().newSession(author);
    const refused: [EventEdit, RegExp][] = [
      [{ title: '\u202e' }, /^event.title: .*vacío/],
      [{ location: 'x'.repeat(121) }, /^event.location: Como mucho 120/],
      [{ dates: [{ position: 1, start: `${year}-02-31T20:00` }] }, /no es un día y una hora/],
      [{ dates: [{ position: 1, end: `${year}-06-10T25:00` }] }, /no es un día y una hora/],
      [{ dates: [{ position: 1, end: `${year}-06-10T20:00` }] }, /antes de empezar/],
      [{ dates: [{ position: 1, start: `${skippedDay}T02:30` }] }, /a las 2:30 no existe/],
      [{ dates: [{ position: 1, start: '2020-06-03T20:30' }] }, /ya ha pasado/],
      [{ dates: [{ position: 1, start: `${year + 6}-06-03T20:30` }] }, /demasiado lejos/],
      [{ dates: [{ position: 0, start: `${year}-06-03T20:30` }] }, /Lo que ya ha empezado/],
      [{ dates: [{ position: 0, cancelled: true }] }, /Lo que ya ha empezado/],
      [{ dates: [{ position: 1, start: `${year}-06-17T20:30` }] }, /está dos veces/],
    ];
    for (const [edit, message] of refused) {
      const response = await change({ ...author, token }, id, 1, edit);
      const { errors } = await expectProblem(response, 400, 'invalid_fields');
      assert.match(
        errors?.map(({ field, message: text }) => `${field}: ${text}`).join() ?? '',
        message,
      );
    }
    assert.deepEqual(await read(id), before);
  });

  test('stay as they are when the text is edited, which may become empty', async () => {
    const { author, comment, id } = await scene();
    const edited = await forum().edit(author, id, 1, 'Traed agua');
    assert.deepEqual([edited.comment, edited.event], ['Traed agua', comment.event]);
    const plain = await forum().comment(author, id, 'hola');
    const response = await forum().call('PATCH', apiRoutes.channelComment(id, plain.number), {
      token: author.token,
      headers: { 'if-match': '"1"' },
      body: { comment: ' ' },
    });
    await expectProblem(response, 400, 'invalid_fields');
  });

  test('are found by title and place, on the calendar and among the next ones of their channel', async () => {
    const { author, id } = await scene({ title: 'Verbena de agosto', location: 'Frontón' });
    const found = await forum().json<{ data: { comment: Comment }[] }>(
      'GET',
      withQuery(apiRoutes.search, { q: 'verbena frontón', channel: id }),
    );
    assert.deepEqual(
      found.data.map(({ comment }) => comment.number),
      [1],
    );
    await change(author, id, 1, { title: 'Romería' });
    const renamed = await forum().json<{ data: { comment: Comment }[] }>(
      'GET',
      withQuery(apiRoutes.search, { q: 'romeria', channel: id }),
    );
    assert.equal(renamed.data.length, 1);
    const month = withQuery(apiRoutes.calendar, { from: `${year}-06` });
    type Dates = {
      data: { channel: { _id: string }; title: string; date: { position: number } }[];
    };
    const ofMonth = async () =>
      (await forum().json<Dates>('GET', month)).data
        .filter(({ channel }) => channel._id === id)
        .map(({ title, date }) => `${title} ${date.position}`);
    assert.deepEqual(await ofMonth(), ['Romería 0', 'Romería 1']);
    const { upcoming } = await forum().json<Channel>('GET', apiRoutes.channel(id));
    assert.deepEqual(
      upcoming?.map(({ date }) => date.position),
      [0, 1],
    );
    await hideContent(forum(), `${id}-1`);
    assert.deepEqual(await ofMonth(), []);
    for (const from of ['2020-01', `${year + 10}-01`, 'nada', `${year}-13`])
      await expectProblem(
        await forum().call('GET', withQuery(apiRoutes.calendar, { from })),
        400,
        'invalid_cursor',
      );
  });

  test('that have run for days come after those to come, and are in each month into which they run', async () => {
    await changeSettings(forum(), { zone: 'Europe/Madrid' });
    const dayIn = (days: number) =>
      timeIn('Europe/Madrid', forum().services.now()).toPlainDate().add({ days }).toString();
    const author = await forum().person('Luis');
    const { _id: id } = await forum().channel(author, 'Exposición');
    const exhibition: NewEvent = {
      ...{ title: 'Exposición', allDay: true },
      dates: [{ start: dayIn(1), end: dayIn(70) }],
    };
    await forum().comment(author, id, '', { event: exhibition });
    const visit = { title: 'Visita', allDay: false, dates: [{ start: `${dayIn(3)}T18:00` }] };
    await forum().comment(author, id, '', { event: visit });
    const next = async () =>
      (await forum().json<Channel>('GET', apiRoutes.channel(id))).upcoming?.map(
        ({ title }) => title,
      );
    assert.deepEqual(await next(), ['Exposición', 'Visita']);
    const { db } = forum().services;
    await db
      .updateTable('event_dates')
      .set({ phase: 'on' })
      .where('channel_id', '=', id)
      .where('number', '=', 1)
      .execute();
    // Empties the cache of the channel.
    const body = { date: 0, answer: 'yes' };
    await forum().json('PUT', apiRoutes.rsvp(id, 2), { token: author.token, body });
    assert.deepEqual(await next(), ['Visita', 'Exposición']);
    const from = dayIn(70).slice(0, 7);
    const { data } = await forum().json<{ data: { title: string }[] }>(
      'GET',
      withQuery(apiRoutes.calendar, { from }),
    );
    assert.equal(data[0]?.title, 'Exposición');
  });
});
