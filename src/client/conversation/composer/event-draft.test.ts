import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyEvent } from './empty-event.ts';
import { cutText, daysOf, eventDraftAfter, timesOf, whenText } from './event-draft.ts';

test('dates repeat every week, every other week, or on the same weekday of each month', () => {
  const draft = { ...emptyEvent, day: '2027-01-12', until: '2027-03-31' };
  assert.deepEqual(daysOf({ ...draft, repeats: 'never' }), ['2027-01-12']);
  assert.equal(daysOf({ ...draft, repeats: 'week' }).length, 12);
  assert.deepEqual(daysOf({ ...draft, repeats: 'fortnight' }).slice(0, 3), [
    '2027-01-12',
    '2027-01-26',
    '2027-02-09',
  ]);
  assert.deepEqual(daysOf({ ...draft, repeats: 'month' }), [
    '2027-01-12',
    '2027-02-09',
    '2027-03-09',
  ]);
  const fifth = { ...draft, day: '2027-01-29', until: '2027-04-30', repeats: 'month' as const };
  assert.deepEqual(daysOf(fifth), ['2027-01-29', '2027-02-26', '2027-03-26', '2027-04-30']);
  assert.equal(daysOf({ ...draft, until: '2099-01-01', repeats: 'week' }).length, 53);
  assert.deepEqual(daysOf({ ...draft, until: '2026-01-01', repeats: 'week' }), ['2027-01-12']);
});

test('dates end on the same day, after midnight, or on a later day when they are whole days', () => {
  const draft = { ...emptyEvent, day: '2027-01-31', hour: '22:00' };
  assert.deepEqual(timesOf(draft), [{ start: '2027-01-31T22:00', end: null }]);
  assert.deepEqual(timesOf({ ...draft, endHour: '23:30' }), [
    { start: '2027-01-31T22:00', end: '2027-01-31T23:30' },
  ]);
  assert.deepEqual(timesOf({ ...draft, endHour: '02:00' }), [
    { start: '2027-01-31T22:00', end: '2027-02-01T02:00' },
  ]);
  const days = { ...draft, allDay: true, lastDay: '2027-02-02' };
  assert.deepEqual(timesOf(days), [{ start: '2027-01-31', end: '2027-02-02' }]);
  assert.deepEqual(timesOf({ ...days, without: ['2027-01-31'] }), []);
});

test('dates are repeated with the same fields, a week after the last one', () => {
  const shared = { title: 'Ensayo', location: 'Local' };
  const dates = [
    { start: '2027-03-05', end: '2027-03-07' },
    { start: '2027-02-26', end: '2027-02-28' },
  ];
  assert.deepEqual(eventDraftAfter({ ...shared, allDay: true, capacity: 12, dates }), {
    ...emptyEvent,
    ...{ title: 'Ensayo', location: 'Local', allDay: true, capacity: '12' },
    ...{ day: '2027-03-12', lastDay: '2027-03-14' },
  });
  const times = [{ start: '2027-12-28T22:00', end: '2027-12-29T02:00' }];
  const draft = eventDraftAfter({ ...shared, allDay: false, capacity: null, dates: times });
  assert.deepEqual(timesOf(draft), [{ start: '2028-01-04T22:00', end: '2028-01-05T02:00' }]);
});

test('what was typed is said, with when it ends, or from when to when it repeats', () => {
  const draft = { ...emptyEvent, day: '2026-03-02', endHour: '10:00' };
  assert.equal(whenText({ ...draft, day: '', hour: '20:30' }), '');
  assert.equal(whenText(draft), 'lunes 2 de marzo');
  assert.equal(whenText({ ...draft, allDay: true }), 'lunes 2 de marzo');
  const evening = { ...draft, hour: '20:30' };
  assert.equal(whenText(evening), 'lunes 2 de marzo, 20:30, a martes 3 de marzo, 10:00');
  const weekly = { ...evening, repeats: 'week' as const, until: '2026-09-21' };
  assert.equal(whenText(weekly), '30 fechas, del lunes 2 de marzo al lunes 21 de septiembre');
  assert.equal(
    whenText({ ...weekly, without: ['2026-03-02'] }),
    '29 fechas, del lunes 9 de marzo al lunes 21 de septiembre',
  );
  const two = { ...weekly, until: '2026-03-09' };
  assert.equal(
    whenText({ ...two, without: ['2026-03-02'] }),
    'lunes 9 de marzo, 20:30, a martes 10 de marzo, 10:00',
  );
  assert.equal(
    whenText({ ...two, without: daysOf(two) }),
    'No queda ninguna fecha: vuelve a poner alguna.',
  );
  const year = { ...weekly, until: '2027-03-07' };
  assert.equal(whenText(year), '53 fechas, del lunes 2 de marzo al lunes 1 de marzo de 2027');
  assert.equal(cutText(year), undefined);
  assert.equal(
    cutText({ ...year, until: '2027-03-08' }),
    'Como mucho, 53 fechas: la última es el lunes 1 de marzo de 2027.',
  );
});
