import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import {
  deflatedZeros,
  mp3,
  mp4,
  ogg,
  openDocument,
  openXml,
  pdf,
  zipOf,
} from '../../../test/attacks/hostile-files.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { UnsupportedFile } from './errors.ts';
import { readFileUpload } from './file-kinds.ts';
import { safeFileName } from './file-names.ts';

const word = 'openxmlformats-officedocument.wordprocessingml';
const html = '<!doctype html><script>alert(1)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const zeros = deflatedZeros();

/** @returns the content type and the name under which a file is stored, or why it is refused */
async function outcomeOf(name: string, content: Buffer | string): Promise<string> {
  await using folder = await temporaryFolder('kinds');
  const file = path.join(folder.path, 'upload');
  const bytes = Buffer.from(content);
  await writeFile(file, bytes);
  try {
    const { contentType, extensions, full } = await readFileUpload(file, name);
    assert.ok(full.bytes.equals(bytes), 'it is stored as it is');
    return `${contentType} ${safeFileName(name, extensions, 'documento')}`;
  } catch (error) {
    assert.ok(error instanceof UnsupportedFile);
    return error.detail?.includes('macros') ? 'macros' : 'refused';
  }
}

test('each accepted kind is told by its bytes, and gets its extension', async () => {
  const files: [string, Buffer | string, string][] = [
    ['acta.pdf', pdf, 'application/pdf acta.pdf'],
    ['\u202efdp.exe', pdf, 'application/pdf fdp.pdf'],
    ['', pdf, 'application/pdf documento.pdf'],
    ['../../a\0.PDF', pdf, 'application/pdf a.PDF'],
    ['a.zip', openXml(`${word}.document`), `application/vnd.${word}.document a.docx`],
    ['a.odt', openDocument('text'), 'application/vnd.oasis.opendocument.text a.odt'],
    ['a.txt', openDocument('spreadsheet'), 'application/vnd.oasis.opendocument.spreadsheet a.ods'],
    [
      'a.odp',
      openDocument('presentation'),
      'application/vnd.oasis.opendocument.presentation a.odp',
    ],
    ['a.mp3', mp3(), 'audio/mpeg a.mp3'],
    ['a.m4a', mp4('M4A ', 'soun'), 'audio/mp4 a.m4a'],
    ['nota de voz.mp4', mp4('mp42', 'soun'), 'audio/mp4 nota de voz.m4a'],
    ['a.opus', ogg, 'audio/ogg a.opus'],
    ['a.TXT', 'Año', 'text/plain; charset=utf-8 a.TXT'],
    ['a.csv', Buffer.from('A\xf1o;1', 'latin1'), 'text/csv a.csv'],
  ];
  for (const [name, bytes, stored] of files) assert.equal(await outcomeOf(name, bytes), stored);
  const long = await outcomeOf(`${'🦖'.repeat(255)}.pdf`, pdf);
  assert.equal(long, `application/pdf ${'🦖'.repeat(100)}.pdf`);
});

test('no file is taken for what its name says, nor unpacked to find out', async () => {
  const sheet = 'openxmlformats-officedocument.spreadsheetml.sheet';
  const hostile: Record<string, [string, Buffer | string, string]> = {
    'a PDF that is HTML': ['a.pdf', html, 'refused'],
    'a PDF behind HTML': ['a.pdf', Buffer.concat([Buffer.from(html), pdf]), 'refused'],
    'a PDF behind an ID3 tag': ['a.pdf', Buffer.concat([mp3(9).subarray(0, 19), pdf]), 'refused'],
    'a PDF behind a byte order mark': [
      'a.pdf',
      Buffer.concat([Buffer.from('\ufeff'), pdf]),
      'refused',
    ],
    'HTML behind a PDF': [
      'a.html',
      Buffer.concat([pdf, Buffer.from(html)]),
      'application/pdf a.pdf',
    ],
    'an SVG called PDF': ['a.pdf', svg, 'refused'],
    'an SVG with an XML declaration called TXT': [
      'a.txt',
      `<?xml version="1.0"?>${svg}`,
      'refused',
    ],
    'HTML called TXT': ['a.txt', html, 'text/plain; charset=utf-8 a.txt'],
    'a page called HTML': ['a.html', html, 'refused'],
    'a TXT with NUL': ['a.txt', `${'a'.repeat(5000)}\0`, 'refused'],
    'a TXT without bytes': ['a.txt', '', 'refused'],
    'a DOCM called DOCX': [
      'a.docx',
      openXml('ms-word.document.macroEnabled', { 'word/vbaProject.bin': 'x' }),
      'macros',
    ],
    'a DOCX that hides its macros': [
      'a.docx',
      openXml(`${word}.document`, { 'word/vbaProject.bin': 'x' }),
      'macros',
    ],
    'an ODT with macros': [
      'a.odt',
      openDocument('text', { 'Basic/script-lc.xml': '<a/>' }),
      'macros',
    ],
    'a template': ['a.docx', openXml(`${word}.template`), 'refused'],
    'an ODT template': ['a.odt', openDocument('text-template'), 'refused'],
    'a ZIP in a ZIP': ['a.docx', zipOf({ 'a.zip': zipOf({ 'b.zip': 'x' }) }), 'refused'],
    'an XLSX of 4 GB of zeros': [
      'a.xlsx',
      openXml(sheet, { 'xl/worksheets/sheet1.xml': zeros }, 'xl'),
      `application/vnd.${sheet} a.xlsx`,
    ],
    'content types of 4 GB of zeros': [
      'a.xlsx',
      zipOf({ '[Content_Types].xml': zeros, 'xl/workbook.xml': '<a/>' }),
      'refused',
    ],
    'a ZIP of 60,000 entries': [
      'a.docx',
      zipOf(Object.fromEntries(Array.from({ length: 60_000 }, (_, entry) => [`${entry}`, '']))),
      'refused',
    ],
    'an MP3 with an ID3 tag of 20 MB': ['a.mp3', mp3(20_000_000), 'audio/mpeg a.mp3'],
    'an ID3 tag of 20 MB before a program': [
      'a.mp3',
      Buffer.concat([mp3(20_000_000).subarray(0, 20_000_010), Buffer.from('MZ\x90\0')]),
      'refused',
    ],
    'a video called M4A': ['a.m4a', mp4('M4A ', 'vide'), 'refused'],
    'a program': ['a.pdf', 'MZ\x90\0', 'refused'],
    'a picture': ['a.pdf', '\x89PNG\r\n\x1a\n', 'refused'],
  };
  for (const [title, [name, bytes, outcome]] of Object.entries(hostile)) {
    assert.equal(await outcomeOf(name, bytes), outcome, title);
  }
});
