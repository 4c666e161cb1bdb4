import assert from 'node:assert/strict';
import { test } from 'node:test';
import ICAL from 'ical.js';
import { calendarFile } from './calendar-file.ts';

const unescaped = (text: string) =>
  text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));

test('names of any length with separators and line breaks are read as they were, in lines of at most 75 bytes', () => {
  const title = 'Coro; «ñ», \\n y:\n\tBEGIN:VEVENT\n'.repeat(400).slice(0, 10_000);
  const names = [title, 'END:VCALENDAR', ',;,;', '"Coro"'];
  for (const name of names) {
    const event = {
      ...{ channel_id: 'canal', number: 1, title: name, location: name, zone: 'Europe/Madrid' },
      ...{ all_day: 0, capacity: null, revision: 1, changed_at_ms: 0 },
    };
    const date = {
      ...{ channel_id: 'canal', number: 1, position: 0 },
      ...{ start_time: '2027-06-03T20:30', end_time: null, starts_at_ms: 0, ends_at_ms: 1 },
      ...{
        phase: 'coming' as const,
        cancelled_at_ms: null,
        reason: '',
        ...{ yes: 0, waiting: 0, maybe: 0, no: 0 },
        remind_at_ms: null,
      },
      ...{ told_start: '', told_end: null, told_location: '', told_cancelled: 0, told_at_ms: 0 },
      ...{ before_start: null, before_end: null, before_location: null },
      ...{ differs_since_ms: null, occasion: 0 },
    };
    const site = { name, origin: 'https://foro.example', identity: 'foro' };
    const text = calendarFile(site, [{ event, date }], 0);
    const lines = text.split('\r\n');
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line)));
    const calendar = new ICAL.Component(ICAL.parse(text) as [string, unknown[], unknown[]]);
    const events = calendar.getAllSubcomponents('vevent');
    assert.equal(events.length, 1);
    const [read] = events.map((component) => new ICAL.Event(component));
    assert.deepEqual([read?.summary, read?.location], [name, name]);
    // The library that reads leaves names of calendars as they are written.
    const written = String(calendar.getFirstPropertyValue('x-wr-calname'));
    assert.equal(unescaped(written), name);
  }
});
