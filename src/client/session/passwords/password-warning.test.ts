import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordWarning } from './password-warning.ts';

const names = ['Íñigo Peña', 'inigo.p@ejemplo.es'];

test('warns of a password that contains the name or the e-mail, however it is written', async () => {
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

test('does not warn of a name so short that it is part of many passwords, unless it is all', async () => {
  assert.equal(await passwordWarning('tres bueyes', ['bu', 'e@ejemplo.es']), undefined);
  assert.match((await passwordWarning('BU', ['bu'])) ?? '', /^Contiene/);
});

test('does not warn of other passwords, nor when nothing is known of the account', async () => {
  assert.equal(await passwordWarning('caballo grapa batería', names), undefined);
  assert.equal(await passwordWarning('caballo grapa batería', ['', ' ', '\u0301']), undefined);
  assert.equal(await passwordWarning('íñigo peña'), undefined);
});
