import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naughtyStrings } from '../../../test/attacks/naughty-strings.ts';
import { nameWithHash, safeFileName } from './file-names.ts';

test('a sanitized file name stays readable and loses folders, control characters and wrong extensions', () => {
  const names: [string, string][] = [
    ['Café ☕️ del norte.PNG', 'Café ☕ del norte.PNG'],
    ['foto.jpg', 'foto.png'],
    ['sin ending', 'sin ending.png'],
    ['../../etc/passwd', 'passwd.png'],
    ['%2e%2e%2fetc.png', '2e2e2fetc.png'],
    ['C:\\fotos\\yo.jpeg', 'yo.png'],
    ['a\u0000b\u202egnp.exe', 'abgnp.png'],
    ['...', 'imagen.png'],
    ['.', 'imagen.png'],
    ['', 'imagen.png'],
    ['.png', 'imagen.png'],
    ['.htaccess', 'htaccess.png'],
    ['foto.', 'foto.png'],
    ['CON', 'CON.png'],
    ['a?b#c.png', 'abc.png'],
    ['\ud800x.png', '\ufffdx.png'],
    ['cafe\u0301.png', 'café.png'],
    ['archivo.tar.gz', 'archivo.tar.png'],
  ];
  for (const [raw, safe] of names) assert.equal(safeFileName(raw, ['png']), safe, raw);
  assert.equal([...safeFileName('🦖'.repeat(300), ['png'])].length, 104);
  assert.equal(safeFileName('yo.JPEG', ['jpg', 'jpeg']), 'yo.JPEG');
});

test('no hostile name has characters with a meaning in paths, URLs or HTML, or that hide or reorder others', () => {
  const safe = /^(?![. ])[^/\\"<>:|?*%#\p{C}\p{Default_Ignorable_Code_Point}]{1,100}\.png$/u;
  for (const text of naughtyStrings) assert.match(safeFileName(text, ['png']), safe, text);
});

test('nameWithHash inserts the hash before the extension', () => {
  assert.equal(nameWithHash('a.b.png', 'abcdef01'), 'a.b-abcdef01.png');
});
