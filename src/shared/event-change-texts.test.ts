import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeText } from './event-change-texts.ts';

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
