import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLines, changeText } from './event-change-texts.ts';

test('changes are said with what was told before', () => {
  const now = { start: '2027-03-28T20:30', end: null, location: 'Local' };
  const told = { ...now, cancelled: false, reason: '', before: null };
  assert.equal(changeText(told), 'domingo 28 de marzo, 20:30, en Local: sí se hace');
  assert.equal(
    changeText({ ...told, cancelled: true, reason: 'Llueve' }),
    'domingo 28 de marzo, 20:30, en Local: no se hace (Llueve)',
  );
  assert.equal(
    changeText({ ...told, before: { ...now, start: '2027-03-27T19:00' } }),
    'domingo 28 de marzo, 20:30, en Local (antes, sábado 27 de marzo, 19:00)',
  );
  assert.equal(
    changeText({ ...told, before: { ...now, location: 'Casa' } }),
    'domingo 28 de marzo, 20:30, en Local (antes, en Casa)',
  );
  assert.equal(
    changeText({ ...told, before: { ...now, location: '' } }),
    'domingo 28 de marzo, 20:30, en Local (antes, sin lugar)',
  );
  assert.equal(
    changeText({ ...told, before: { ...now, start: '2027-03-27T19:00', location: 'Casa' } }),
    'domingo 28 de marzo, 20:30, en Local (antes, sábado 27 de marzo, 19:00, en Casa)',
  );
});

test('what became of more than three dates alike is one line', () => {
  const weeks = ['2027-12-06', '2027-12-13', '2027-12-20', '2028-01-10'];
  const told = (day: string) => ({ start: `${day}T20:30`, end: null, location: 'Local' });
  const moved = weeks.map((day) => {
    const date = { ...told(day), cancelled: false, reason: '' };
    return { ...date, before: { ...told(day), location: 'Casa' } };
  });
  const fifth = { ...told('2028-01-17'), cancelled: true, reason: 'Es fiesta', before: null };
  assert.deepEqual(changeLines([fifth, ...moved.toReversed()]), [
    '4 fechas, del lunes 6 de diciembre al lunes 10 de enero de 2028, en Local (antes, en Casa)',
    'lunes 17 de enero, 20:30, en Local: no se hace (Es fiesta)',
  ]);
  assert.equal(changeLines(moved.slice(1)).length, 3);
  const cancelled = moved.map((date) => ({ ...date, cancelled: true, before: null }));
  assert.match(changeLines(cancelled)[0] ?? '', /, en Local: no se hacen$/);
});
