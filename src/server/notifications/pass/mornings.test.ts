import assert from 'node:assert/strict';
import { test } from 'node:test';
import { morningOf } from './mornings.ts';

const iso = (ms: number) => (ms === 0 ? 'none' : new Date(ms).toISOString().slice(0, 16));
const at = (zone: string, time: string) => {
  const { dayMs, weekMs, endMs, dayStartMs } = morningOf(zone, Date.parse(`${time}Z`));
  assert.equal(endMs, morningOf(zone, endMs).dayStartMs);
  assert.equal(endMs, morningOf(zone, dayStartMs).endMs);
  return [iso(dayMs), iso(weekMs), iso(endMs)];
};

test('a morning is at eight, on the days when clocks change, too', () => {
  // Sunday, 28 March 2027: at 2:00 the clocks of Madrid go forward to 3:00.
  const spring = ['2027-03-28T06:00', '2027-03-22T07:00', '2027-03-28T22:00'];
  assert.deepEqual(at('Europe/Madrid', '2027-03-28T05:59'), ['none', 'none', spring[2]]);
  assert.deepEqual(at('Europe/Madrid', '2027-03-28T06:00'), spring);
  assert.deepEqual(at('Europe/Madrid', '2027-03-28T21:59'), spring);
  assert.deepEqual(at('Europe/Madrid', '2027-03-28T22:00')[0], 'none');
  // Sunday, 31 October 2027: at 3:00 they go back to 2:00.
  const autumn = ['2027-10-31T07:00', '2027-10-25T06:00', '2027-10-31T23:00'];
  assert.deepEqual(at('Europe/Madrid', '2027-10-31T06:59')[0], 'none');
  assert.deepEqual(at('Europe/Madrid', '2027-10-31T07:00'), autumn);
  assert.deepEqual(at('Europe/Madrid', '2027-11-01T07:00').slice(0, 2), [
    '2027-11-01T07:00',
    '2027-11-01T07:00',
  ]);
  // In Santiago de Chile the first hour of this day does not exist.
  assert.equal(at('America/Santiago', '2027-09-04T20:00')[2], '2027-09-05T04:00');
});

test('a morning belongs to the local day, however far from UTC', () => {
  for (const [zone, dayMs] of [
    ['Pacific/Kiritimati', '2026-11-29T18:00'],
    ['Asia/Kathmandu', '2026-11-30T02:15'],
    ['America/St_Johns', '2026-11-30T11:30'],
    ['Pacific/Midway', '2026-11-30T19:00'],
  ] as const) {
    assert.deepEqual(at(zone, dayMs).slice(0, 2), [dayMs, dayMs], 'it is a Monday');
  }
});
