import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayParts, monthText, timeText } from './event-texts.ts';

test('times are said with weekday, day and hour, and the year of an end that is in another one', () => {
  for (const [start, end, text] of [
    ['2027-03-28T20:30', null, 'domingo 28 de marzo, 20:30'],
    ['2027-03-28T09:05', '2027-03-28T22:00', 'domingo 28 de marzo, 9:05–22:00'],
    [
      '2027-06-05T22:00',
      '2027-06-06T02:00',
      'sábado 5 de junio, 22:00, a domingo 6 de junio, 2:00',
    ],
    ['2027-07-01', null, 'jueves 1 de julio'],
    ['2027-07-01', '2027-07-01', 'jueves 1 de julio'],
    ['2027-07-01', '2027-07-05', 'jueves 1 de julio hasta el lunes 5 de julio'],
    ['2027-12-31', '2028-01-01', 'viernes 31 de diciembre hasta el sábado 1 de enero de 2028'],
  ] as const)
    assert.equal(timeText({ start, end }), text);
  assert.equal(monthText('2027-03'), 'marzo de 2027');
});

test('the month of a leaf has its year only if it is another one', () => {
  const { month, date, weekday } = dayParts('2027-03-28T20:30', '2027');
  assert.deepEqual([weekday, date, month], ['domingo', 28, 'mar']);
  assert.equal(dayParts('2027-03-28', '2026').month, 'mar 2027');
  assert.equal(dayParts('2027-03-28').month, 'mar');
});
