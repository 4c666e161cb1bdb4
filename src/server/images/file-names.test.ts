import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameWithHash, safeFileName } from './file-names.ts';

test('a file name keeps what people read in it and loses what could harm', () => {
  const names: [string, string][] = [
    ['Café ☕️ del norte.JPG', 'Café ☕ del norte.png'],
    ['../../etc/passwd', 'passwd.png'],
    ['C:\\fotos\\yo.jpeg', 'yo.png'],
    ['a\u0000b\u202egnp.exe', 'abgnp.png'],
    ['...', 'imagen.png'],
    ['', 'imagen.png'],
    ['.htaccess', 'htaccess.png'],
    ['foto.', 'foto.png'],
    ['a?b#c%2e.png', 'abc2e.png'],
    ['\ud800x.png', '\ufffdx.png'],
    ['cafe\u0301.png', 'café.png'],
  ];
  for (const [raw, safe] of names) assert.equal(safeFileName(raw, 'png'), safe, raw);
  assert.equal([...safeFileName('🦖'.repeat(300), 'png')].length, 104);
});

test('the hash goes before the extension', () => {
  assert.equal(nameWithHash('a.b.png', 'abcdef0123456789'), 'a.b-abcdef01.png');
});
