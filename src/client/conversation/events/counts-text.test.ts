import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventDate } from '../../../shared/events.ts';
import { countsText } from './counts-text.ts';

const date: EventDate = {
  ...{ position: 0, start: '2027-03-28T20:30', end: null, cancelled: false, reason: '' },
  ...{ startsAt: '2027-03-28T18:30:00.000Z', endsAt: '2027-03-28T20:30:00.000Z', phase: 'coming' },
  ...{ yes: 0, waiting: 0, maybe: 0, no: 0 },
};

test('counts say how many places are left, and that none is while somebody waits', () => {
  for (const [counts, capacity, text] of [
    [{ yes: 1, no: 2 }, null, 'Va 1, no 2'],
    [{ yes: 12, maybe: 3 }, 20, 'Van 12, quizá 3, quedan 8 sitios'],
    [{ yes: 19 }, 20, 'Van 19, queda 1 sitio'],
    [{ yes: 20 }, 20, 'Van 20, no quedan sitios'],
    [{ yes: 20, waiting: 1 }, 20, 'Van 20, no quedan sitios, espera 1'],
    // Three come together and do not fit: everybody after them waits too.
    [{ yes: 18, waiting: 3 }, 20, 'Van 18, no quedan sitios, esperan 3'],
    [{ yes: 20, waiting: 1, phase: 'over' }, 20, 'Fueron 20'],
  ] as const)
    assert.equal(countsText({ ...date, ...counts }, capacity), text);
});
