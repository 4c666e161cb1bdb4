import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortDate } from '../ui/time/short-date.ts';
import { fullTime, relativeTime } from './time-words.ts';

// In the time zone of this process, as `relativeTime` reads it.
const now = new Date(2026, 10, 20, 12).getTime();
const ago = (ms: number) => relativeTime(new Date(now - ms).toISOString(), now);
const minute = 60_000;
const day = 24 * 60 * minute;

test("writes a short date in UTC on the server, else in the reader's time zone", () => {
  assert.equal(shortDate('2026-11-20T23:59:59.999Z', true), '20 nov 2026');
  assert.equal(shortDate('2027-01-01T00:00:00.000Z', true), '1 ene 2027');
  for (const [hours, minutes] of [
    [0, 0],
    [23, 59],
  ] as const) {
    const iso = new Date(2026, 8, 30, hours, minutes).toISOString();
    assert.equal(shortDate(iso), '30 sept 2026');
  }
});

test("writes 'ahora mismo' for less than a minute ago and for the future", () => {
  assert.equal(ago(59_000), 'ahora mismo');
  assert.equal(ago(-5 * minute), 'ahora mismo');
});

test('writes older times in the largest unit that fits', () => {
  assert.equal(ago(minute), 'hace 1 minuto');
  assert.equal(ago(41 * minute), 'hace 41 minutos');
  assert.equal(ago(2 * 60 * minute), 'hace 2 horas');
  assert.equal(ago(day), 'ayer');
  assert.equal(ago(2 * day), 'anteayer');
  assert.equal(ago(7 * day), 'hace 1 semana');
  assert.equal(ago(5 * day), 'hace 5 días');
  assert.equal(ago(22 * day), 'hace 3 semanas');
  assert.equal(ago(70 * day), 'hace 2 meses');
  assert.equal(ago(800 * day), 'hace 2 años');
});

test('compares days of the calendar, not of 24 hours', () => {
  const at = (iso: Date, nowMs: Date) => relativeTime(iso.toISOString(), nowMs.getTime());
  const morning = new Date(2026, 10, 20, 8);
  assert.equal(at(new Date(2026, 10, 19, 23), morning), 'ayer');
  assert.equal(at(new Date(2026, 10, 19, 0), new Date(2026, 10, 20, 23)), 'ayer');
  assert.equal(at(new Date(2026, 10, 18, 23), morning), 'anteayer');
  assert.equal(at(new Date(2026, 10, 20, 0), new Date(2026, 10, 20, 23)), 'hace 23 horas');
  assert.equal(
    at(new Date(2026, 10, 19, 23, 50), new Date(2026, 10, 20, 0, 10)),
    'hace 20 minutos',
  );
  assert.equal(at(new Date(2026, 9, 24, 12), new Date(2026, 9, 26, 1)), 'anteayer');
});

test('writes a full time with its weekday', () => {
  const date = new Date(2026, 10, 20, 9, 5);
  assert.equal(fullTime(date.toISOString()), 'viernes, 20 de noviembre de 2026, 9:05');
});

const year = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2027, 0, 1) };

/** A zone's UTC offsets in that year, each with the time from which it applies. */
function offsetsOf(zone: string): [fromMs: number, offsetMs: number][] {
  const offsets: [number, number][] = [];
  const start = Temporal.Instant.fromEpochMilliseconds(year.startMs).toZonedDateTimeISO(zone);
  for (
    let time: Temporal.ZonedDateTime | null = start;
    time && time.epochMilliseconds < year.endMs;
    time = time.getTimeZoneTransition('next')
  ) {
    offsets.push([time.epochMilliseconds, time.offsetNanoseconds / 1e6]);
  }
  return offsets;
}

test('dates and days match the calendar in every time zone, for every half hour of a year', () => {
  // Zones with the same offsets all year are tested only once.
  const zones = new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [offsetsOf(zone).join(), zone]),
  );
  const dates = new Map<number, string>();
  const times: [ms: number, iso: string][] = [];
  for (let ms = year.startMs - day; ms < year.endMs + day; ms += 30 * minute) {
    const iso = new Date(ms).toISOString();
    dates.set(Math.floor(ms / day), shortDate(iso, true));
    if (ms >= year.startMs && ms < year.endMs) times.push([ms, iso]);
  }
  const wrong: string[] = [];
  const { TZ } = process.env;
  try {
    for (const zone of zones.values()) {
      process.env.TZ = zone;
      const offsets = offsetsOf(zone);
      const dayOf = (ms: number) =>
        Math.floor((ms + (offsets.findLast(([fromMs]) => fromMs <= ms)?.[1] ?? 0)) / day);
      for (const [ms, iso] of times) {
        const today = dayOf(ms);
        const words = ['hace 24 horas', 'ayer', 'anteayer'][dayOf(ms + day) - today];
        if (shortDate(iso) !== dates.get(today) || relativeTime(iso, ms + day) !== words)
          wrong.push(`${iso} in ${zone}`);
      }
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
  assert.deepEqual(wrong, []);
});
