import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachText } from './reach-text.ts';

test('whom an announcement reaches is said without ways that reach nobody', () => {
  const reach = { members: 62, mail: 48, push: 31, onlyHere: 5, mailDays: 1 };
  assert.equal(
    reachText(reach),
    'Llegará a 62 personas: 48 por correo, 31 con aviso en su dispositivo, 5 solo al entrar.',
  );
  const few = { members: 1, mail: 0, push: 0, onlyHere: 1, mailDays: 0 };
  assert.equal(reachText(few), 'Llegará a 1 persona: 1 solo al entrar.');
  assert.match(reachText({ ...reach, mailDays: 3 }), /Los correos tardarán 3 días/);
});
