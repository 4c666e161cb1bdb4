import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordWarning } from './password-warning.ts';

const names = ['Íñigo Peña', 'inigo.p@ejemplo.es'];

test('warns about a password that contains the name or the e-mail address, in any spelling', async () => {
  for (const password of [
    'inigo pena',
    'xx ÍÑIGO  PEÑA 2026',
    'In\u0303igoPen\u0303a'.replace('I', 'I\u0301'),
    'inigo.p',
    'Inigo.P@Ejemplo.es!',
  ]) {
    assert.match((await passwordWarning(password, names)) ?? '', /^Contiene tu nombre/, password);
  }
});

test('does not warn about a name so short that many passwords contain it, unless it is the whole password', async () => {
  assert.equal(await passwordWarning('tres bueyes', ['bu', 'e@ejemplo.es']), undefined);
  assert.match((await passwordWarning('BU', ['bu'])) ?? '', /^Contiene/);
});

test('does not warn about other passwords, or when nothing is known about the account', async () => {
  assert.equal(await passwordWarning('caballo grapa batería', names), undefined);
  assert.equal(await passwordWarning('caballo grapa batería', ['', ' ', '\u0301']), undefined);
  assert.equal(await passwordWarning('íñigo peña'), undefined);
});
