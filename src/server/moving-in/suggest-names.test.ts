import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../shared/limits.ts';
import { suggestNames } from './suggest-names.ts';

const telephones = [
  '+34\u00a0600 12 34 56',
  '+54 9 11 1234\u20115678',
  '+34–600–112233',
  '600/112233',
  '+٣٤ ٦٠٠ ١١٢٢٣٣',
  'Tel 600112233',
  '+34 600 11 22 33 Ana',
];

test('whoever has a telephone number or nothing visible for a name is suggested as a numbered person', () => {
  for (const source of [...telephones, `~ ${telephones[0]}`, '~', ' ', '\u3164', '\u200e\u2800']) {
    assert.deepEqual(suggestNames([source, 'Persona 2', source]), [
      'Persona 1',
      'Persona 2',
      'Persona 3',
    ]);
  }
  assert.deepEqual(suggestNames(['Portal 3, 2024', '🌻']), ['Portal 3, 2024', '🌻']);
});

test('a name longer than any account has is suggested cut between characters, and no two are alike', () => {
  const most = 'x'.repeat(limits.userNameChars);
  assert.deepEqual(suggestNames([`~ ${most}`, most, `${most}y`, `${most}z`]), [
    `${most.slice(5)} 2`,
    most,
    `${most.slice(5)} 3`,
    `${most.slice(5)} 4`,
  ]);
  const family = '👨‍👩‍👧‍👦';
  assert.deepEqual(suggestNames([family.repeat(12)]), [family.repeat(11)]);
  assert.deepEqual(suggestNames(['Jose\u0301', 'José']), ['José 2', 'José']);
});
