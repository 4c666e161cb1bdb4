import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTimeZone } from '../../../test/client/change-time-zone.ts';
import { dayAndHour, fullDate, shortDate } from '../ui/time/short-date.ts';
import { fullTime, relativeTime } from './time-words.ts';

// Its days begin five hours after those of UTC, or four in summer, and 8 March 2026 began at one o'clock.
changeTimeZone('America/Havana');

const minute = 60_000;
const day = 24 * 60 * minute;

test("a short date is in UTC on the server, else in the reader's time zone", () => {
  assert.equal(shortDate('2026-11-20T23:59:59.999Z', true), '20 nov 2026');
  assert.equal(shortDate('2027-01-01T00:00:00.000Z', true), '1 ene 2027');
  assert.equal(shortDate('2027-01-01T00:00:00.000Z'), '31 dic 2026');
  assert.equal(shortDate('2026-10-01T03:59:00.000Z'), '30 sept 2026');
});

test("a comment's time has its hour once the reader's time zone is known, and its year unless it is this one", () => {
  const written = '2026-11-25T00:05:00.000Z';
  const in2026 = Date.parse('2026-12-31T12:00:00.000Z');
  assert.equal(dayAndHour(written, null), 'mié 25 nov 2026');
  assert.equal(dayAndHour(written, in2026), 'mar 24 nov, 19:05');
  assert.equal(dayAndHour('2026-11-21T14:05:00.000Z', in2026), 'sáb 21 nov, 09:05');
  assert.equal(dayAndHour(written, Date.UTC(2027, 0, 2)), 'mar 24 nov 2026, 19:05');
});

test("a full date is in the reader's time zone, and on the server in UTC, which it says", () => {
  assert.equal(fullDate('2026-11-25T00:05:00.000Z'), 'mar 24 nov 2026, 19:05');
  assert.equal(fullDate('2026-11-25T00:05:00.000Z', true), 'mié 25 nov 2026, 00:05 UTC');
});

test('an age is written in the largest unit that fits, and a time in the future as now', () => {
  const now = new Date(2026, 10, 20, 12).getTime();
  for (const [ageMs, text] of [
    [-5 * minute, 'ahora mismo'],
    [59_999, 'ahora mismo'],
    [minute, 'hace 1 minuto'],
    [59 * minute, 'hace 59 minutos'],
    [60 * minute, 'hace 1 hora'],
    [2 * 60 * minute, 'hace 2 horas'],
    [day, 'ayer'],
    [2 * day, 'anteayer'],
    [3 * day, 'hace 3 días'],
    [6 * day, 'hace 6 días'],
    [7 * day, 'hace 1 semana'],
    [22 * day, 'hace 3 semanas'],
    [31 * day, 'hace 1 mes'],
    [70 * day, 'hace 2 meses'],
    [366 * day, 'hace 1 año'],
    [800 * day, 'hace 2 años'],
  ] as const) {
    assert.equal(relativeTime(new Date(now - ageMs).toISOString(), now), text);
  }
});

test('days are those of the calendar in the time zone, not of 24 hours', () => {
  for (const [then, now, text] of [
    [new Date(2026, 10, 19, 23), new Date(2026, 10, 20, 8), 'ayer'],
    [new Date(2026, 10, 19, 0), new Date(2026, 10, 20, 23), 'ayer'],
    [new Date(2026, 10, 18, 23), new Date(2026, 10, 20, 8), 'anteayer'],
    [new Date(2026, 10, 20, 0), new Date(2026, 10, 20, 23), 'hace 23 horas'],
    [new Date(2026, 10, 19, 23, 50), new Date(2026, 10, 20, 0, 10), 'hace 20 minutos'],
    [new Date(2026, 2, 7, 12), new Date(2026, 2, 9, 1), 'anteayer'],
  ] as const) {
    assert.equal(relativeTime(then.toISOString(), now.getTime()), text);
  }
});

test('a full time has its weekday', () => {
  const text = 'viernes, 20 de noviembre de 2026, 9:05';
  assert.equal(fullTime('2026-11-20T14:05:00.000Z'), text);
});
