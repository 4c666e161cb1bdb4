import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInvitees } from './parse-invitees.ts';

const pairs = (text: string) =>
  parseInvitees(text).invitees.map(({ email, name }) => [email, name]);

test('addresses are found as people paste them, with their names', () => {
  const expected = [
    ['ana@ejemplo.es', 'Ana Soler'],
    ['beto@ejemplo.es', ''],
  ];
  for (const text of [
    'Ana Soler <ana@ejemplo.es>; beto@ejemplo.es',
    'Para: "Ana Soler" <ana@ejemplo.es>, <beto@ejemplo.es>',
    'Ana\tSoler\tana@ejemplo.es\r\n\t\tbeto@ejemplo.es\r\n',
    'ana@ejemplo.es\tAna Soler\nbeto@ejemplo.es',
    'Ana,Soler,ana@ejemplo.es\n,,beto@ejemplo.es',
    '1. Ana Soler (ana@ejemplo.es)\n2. beto@ejemplo.es.',
    '* Ana Soler: ana@ejemplo.es\n• mailto:beto@ejemplo.es'.replace('Soler:', 'Soler'),
    '\ufeffAna Soler;ana@ejemplo.es\n;beto@ejemplo.es',
  ])
    assert.deepEqual(pairs(text), expected, text);
});

test('repeated addresses are found once, in the first spelling, with the first name', () => {
  const { invitees, repeated, strange } = parseInvitees(
    'Nombre;Correo\nANA@ejemplo.es\nAna Soler <ana@Ejemplo.es>\n\nLuis Pérez\nana@ejemplo.es',
  );
  assert.deepEqual(invitees, [{ email: 'ANA@ejemplo.es', name: 'Ana Soler' }]);
  assert.equal(repeated, 2);
  assert.deepEqual(strange, ['Nombre;Correo', 'Luis Pérez']);
});

test('formulas, marks of direction and long names are only text', () => {
  assert.deepEqual(pairs('=HYPERLINK("x")\tana@ejemplo.es'), [['ana@ejemplo.es', '=HYPERLINK x']]);
  assert.deepEqual(pairs('\u202eدانا <dana@ejemplo.es>'), [['dana@ejemplo.es', 'دانا']]);
  const [[, name] = []] = pairs(`${'😀'.repeat(300)} <a@ejemplo.es>`);
  assert.ok([...(name ?? '')].length <= 80 && name?.isWellFormed());
});

test('the time for a text grows no faster than the text', () => {
  // Ten thousand lines, and one line of as many addresses, and one without any.
  assert.equal(
    parseInvitees(Array.from({ length: 10_000 }, (_, i) => `Ana <a${i}@b.es>`).join('\n')).invitees
      .length,
    10_000,
  );
  assert.equal(
    parseInvitees(Array.from({ length: 10_000 }, (_, i) => `Ana <a${i}@b.es>`).join(', ')).invitees
      .length,
    10_000,
  );
  assert.deepEqual(parseInvitees('a'.repeat(500_000)).invitees, []);
});
