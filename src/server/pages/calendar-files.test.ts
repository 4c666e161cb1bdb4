import assert from 'node:assert/strict';
import { test } from 'node:test';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import { hideContent, restrictAccount } from '../../../test/forum/moderators.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { NewEvent } from '../../shared/events.ts';
import { dayMs } from '../system/times.ts';

const year = new Date().getFullYear() + 2;
const rehearsal: NewEvent = {
  title: 'Ensayo; con ñ, comas\\ y «comillas», que es largo para una sola línea',
  location: 'Plaza',
  allDay: false,
  dates: [
    { start: `${year}-06-03T20:30`, end: `${year}-06-03T22:00` },
    { start: `${year}-12-10T20:30` },
  ],
};

onBothEngines('dates in calendars', (forum, wait) => {
  const scene = async (event: NewEvent = rehearsal) => {
    await changeSettings(forum(), { zone: 'Europe/Madrid' });
    const author = await forum().person('Ana');
    const { _id: id } = await forum().channel(author, 'Ensayos');
    await forum().comment(author, id, '', { event });
    return { author, id };
  };
  const fetchText = async (path: string) => {
    const response = await forum().call('GET', path);
    assert.equal(response.status, 200, path);
    return response.text();
  };
  /** Reads a file with two libraries that did not write it, and asserts that they read the same. */
  const read = (text: string) => {
    const events = new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]])
      .getAllSubcomponents('vevent')
      .map((component) => new ICAL.Event(component));
    const readAgain = Object.values(nodeIcal.sync.parseICS(text)).flatMap((component) =>
      component?.type === 'VEVENT'
        ? [
            [
              ...[component.uid, component.summary, component.location ?? '', component.sequence],
              ...[component.status, component.datetype === 'date'],
              ...[component.start.getTime(), component.end?.getTime()],
            ],
          ]
        : [],
    );
    assert.deepEqual(
      readAgain,
      events.map(({ uid, summary, location, sequence, startDate, endDate, component }) => [
        ...[uid, summary, location ?? '', sequence],
        ...[component.getFirstPropertyValue('status'), startDate.isDate],
        ...[startDate.toJSDate().getTime(), endDate.toJSDate().getTime()],
      ]),
    );
    return events;
  };
  const addressOf = async ({ token }: Person, method: 'GET' | 'POST' = 'GET') => {
    const { url } = await forum().json<{ url: string }>(method, apiRoutes.ownCalendar, { token });
    return new URL(url).pathname;
  };

  test('are read by two other libraries as they were written, in lines of at most 75 bytes', async () => {
    const { author, id } = await scene();
    const text = await fetchText(apiRoutes.eventFile(id, 1));
    const lines = text.split('\r\n');
    assert.equal(lines.at(-1), '', 'the last line ends');
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n')));
    const [first, second, ...others] = read(text);
    assert.deepEqual(others, []);
    assert.equal(first?.summary, rehearsal.title);
    assert.equal(first?.location, 'Plaza');
    assert.equal(first?.startDate.toString(), `${year}-06-03T18:30:00Z`);
    assert.equal(first?.endDate.toString(), `${year}-06-03T20:00:00Z`);
    assert.equal(second?.startDate.toString(), `${year}-12-10T19:30:00Z`, 'in winter');
    assert.equal(first?.component.getFirstPropertyValue('status'), 'CONFIRMED');
    assert.equal(first?.sequence, 0);
    assert.doesNotMatch(text, /Ana|@/);
    assert.equal(await fetchText(apiRoutes.eventFile(id, 1)), text, 'the same bytes');

    await forum().json('PATCH', apiRoutes.event(id, 1), {
      token: author.token,
      headers: { 'if-match': '"1"' },
      body: { dates: [{ position: 0, cancelled: true }] },
    });
    const [cancelled, other] = read(await fetchText(apiRoutes.eventFile(id, 1)));
    assert.equal(cancelled?.uid, first?.uid);
    assert.deepEqual(
      [cancelled, other].map((one) => [
        one?.component.getFirstPropertyValue('status'),
        one?.sequence,
      ]),
      [
        ['CANCELLED', 1],
        ['CONFIRMED', 1],
      ],
    );
    const one = read(await fetchText(`${apiRoutes.eventFile(id, 1)}?date=1`));
    assert.deepEqual(
      one.map(({ uid }) => uid),
      [second?.uid],
    );
    wait(31 * dayMs);
    await forum().comment(await forum().person('Leo'), id, 'otra cosa');
    const left = read(await fetchText(apiRoutes.eventFile(id, 1)));
    assert.deepEqual(
      left.map(({ uid }) => uid),
      [second?.uid],
      'a cancelled one leaves after thirty days',
    );
  });

  test('of whole days end on the day after the last one', async () => {
    const { id } = await scene({
      ...rehearsal,
      allDay: true,
      dates: [{ start: `${year}-07-10`, end: `${year}-07-12` }],
    });
    const text = await fetchText(apiRoutes.eventFile(id, 1));
    assert.match(text, new RegExp(`DTSTART;VALUE=DATE:${year}0710\r\n`));
    assert.match(text, new RegExp(`DTEND;VALUE=DATE:${year}0713\r\n`));
    const [event] = read(text);
    assert.equal(event?.endDate.toString(), `${year}-07-13`);
  });

  test('are at a secret address for each person, without those of silenced channels and those answered with no', async () => {
    const { author, id } = await scene();
    const other = await scene({ ...rehearsal, title: 'Asamblea' });
    const silenced = await scene({ ...rehearsal, title: 'Fiesta' });
    const bea = await forum().person('Bea');
    const { token } = bea;
    await forum().json('PUT', apiRoutes.level(silenced.id), { token, body: { level: 'none' } });
    await forum().json('PUT', apiRoutes.rsvp(id, 1), { token, body: { date: 0, answer: 'no' } });
    const path = await addressOf(bea);
    assert.equal(await addressOf(bea), path);
    const ofScene = async () =>
      read(await fetchText(path))
        .filter(({ component }) =>
          [id, other.id, silenced.id].some((one) =>
            String(component.getFirstPropertyValue('url')).includes(one),
          ),
        )
        .map(({ summary, startDate }) => `${summary.slice(0, 6)} ${startDate.month}`);
    assert.deepEqual(await ofScene(), ['Asambl 6', 'Ensayo 12', 'Asambl 12']);
    const first = await forum().call('GET', path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(first.headers.get('cache-control') ?? '', /private/);
    const again = await forum().call('GET', path, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    await hideContent(forum(), `${other.id}-1`);
    assert.deepEqual(await ofScene(), ['Ensayo 12']);

    const renewed = await addressOf(bea, 'POST');
    assert.notEqual(renewed, path);
    await expectProblem(await forum().call('GET', path), 404, 'not_found');
    assert.equal((await forum().call('GET', renewed)).status, 200);
    assert.equal((await forum().call('GET', renewed.replace(bea.id, author.id))).status, 404);
    await restrictAccount(forum(), bea, 'suspend');
    await expectProblem(await forum().call('GET', renewed), 404, 'not_found');
  });

  test('are answered by links in mails, which act on POST only, until the date, for whoever may read', async () => {
    const { id, author } = await scene();
    const bea = await forum().person('Bea');
    const { answerPath } = await import('../forum/events/answer-links.ts');
    const place = { channelId: id, number: 1, position: 0 };
    const path = await answerPath(forum().services.db, bea.id, place, 'yes');
    const asked = await fetchText(path);
    assert.match(asked, /Ensayo; con ñ/);
    assert.match(asked, /20:30–22:00/);
    assert.match(asked, /Bea/);
    assert.doesNotMatch(asked, /Plaza|Ana/);
    const yes = async () => (await forum().allComments(id))[0]?.event?.dates[0]?.yes;
    assert.equal(await yes(), 0, 'a scanner that opens links answers nothing');
    assert.equal((await forum().call('POST', path)).status, 200);
    assert.equal(await yes(), 1);
    for (const other of [path.replace('.yes.', '.no.'), path.replace('.0.', '.1.'), `${path}x`])
      await expectProblem(await forum().call('POST', other), 404, 'not_found');
    await forum().json('PATCH', apiRoutes.event(id, 1), {
      token: author.token,
      body: { dates: [{ position: 0, cancelled: true, reason: 'Llueve' }] },
      headers: { 'if-match': '"1"' },
    });
    const closed = await fetchText(path);
    assert.match(closed, /Se ha cancelado: .*Llueve/);
    assert.doesNotMatch(closed, /<form/);
    assert.equal((await forum().call('POST', path)).status, 409);
    await restrictAccount(forum(), bea, 'suspend');
    await expectProblem(await forum().call('POST', path), 404, 'not_found');
  });
});
