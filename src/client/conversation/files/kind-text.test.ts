import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindText } from './kind-text.ts';

test('a file is named by its kind, a text if it is nothing else', () => {
  const office = 'application/vnd.openxmlformats-officedocument';
  const open = 'application/vnd.oasis.opendocument';
  const kinds = {
    PDF: ['application/pdf'],
    Documento: [`${office}.wordprocessingml.document`, `${open}.text`],
    'Hoja de cálculo': [`${office}.spreadsheetml.sheet`, `${open}.spreadsheet`],
    Presentación: [`${office}.presentationml.presentation`, `${open}.presentation`],
    Texto: ['text/plain; charset=utf-8'],
    CSV: ['text/csv'],
    Sonido: ['audio/mpeg', 'audio/mp4', 'audio/ogg'],
  };
  for (const [kind, types] of Object.entries(kinds))
    for (const type of types) assert.equal(kindText(type), kind, type);
});
