import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyPoll } from './empty-poll.ts';
import { closesBefore, pollDraftOf, pollOf, withOption, withoutOption } from './poll-draft.ts';

const options = [
  { isTime: false, value: 'Ninguna' },
  { isTime: false, value: ' ' },
  { isTime: true, value: '2027-03-28T20:30' },
];

test('a poll closes after a week on the clock of the community, also when that clock is moved meanwhile', () => {
  const poll = emptyPoll('Europe/Madrid', Date.parse('2027-03-27T11:00Z'));
  assert.equal(poll.closes, '2027-04-03T13:00');
  for (const [closes, zone, closesAt] of [
    ['2027-04-03T13:00', 'Europe/Madrid', '2027-04-03T11:00:00.000Z'],
    ['2027-03-27T12:00', 'Europe/Madrid', '2027-03-27T11:00:00.000Z'],
    // Half an hour before and after the clock is moved.
    ['2027-03-28T01:30', 'Europe/Madrid', '2027-03-28T00:30:00.000Z'],
    ['2027-03-28T03:30', 'Europe/Madrid', '2027-03-28T01:30:00.000Z'],
    ['2027-10-31T01:30', 'Europe/Madrid', '2027-10-30T23:30:00.000Z'],
    ['2027-10-31T03:30', 'Europe/Madrid', '2027-10-31T02:30:00.000Z'],
    ['2027-03-27T12:00', 'America/Mexico_City', '2027-03-27T18:00:00.000Z'],
  ] as const)
    assert.equal(pollOf({ ...poll, closes, zone }).closesAt, closesAt, closes);
  assert.equal(pollOf({ ...poll, closes: '' }).closesAt, '');
});

test('a poll is sent without empty options, and a withdrawn one is written again as it was', () => {
  const typed = { ...emptyPoll('Europe/Madrid', 0), secret: true, options };
  const sent = pollOf(typed);
  assert.deepEqual(sent.options, [{ text: 'Ninguna' }, { start: '2027-03-28T20:30' }]);
  const kept = options.filter(({ value }) => value.trim());
  assert.deepEqual(pollDraftOf(sent, 'Europe/Madrid'), { ...typed, options: kept });
});

test('a day and hour takes the place of an option without text, and two options stay at least', () => {
  const empty = emptyPoll('', 0);
  const valuesOf = (poll: typeof empty) =>
    poll.options.map(({ isTime, value }) => (isTime ? 'hora' : value));
  const first = withOption(empty, true);
  assert.deepEqual([first.index, valuesOf(first.poll)], [0, ['hora', '']]);
  const second = withOption(first.poll, false);
  assert.deepEqual([second.index, valuesOf(second.poll)], [2, ['hora', '', '']]);
  assert.deepEqual(valuesOf(withoutOption(first.poll, 0)), ['', '']);
  assert.deepEqual(valuesOf(withoutOption({ ...empty, options }, 0)), [' ', 'hora']);
});

test('a poll closes no later than the first day and hour to choose from, unless that is past', () => {
  const nowMs = Date.parse('2027-03-01T10:00Z');
  const poll = { ...emptyPoll('UTC', nowMs), closes: '2027-03-08T10:00' };
  assert.equal(closesBefore('2027-03-05T20:00', poll, nowMs).closes, '2027-03-05T20:00');
  assert.equal(closesBefore('2027-03-09T20:00', poll, nowMs).closes, poll.closes);
  assert.equal(closesBefore('2026-03-05T20:00', poll, nowMs).closes, poll.closes);
});
