import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOutLines, leftOutText } from './import-texts.ts';

test('what does not come is named with its reason, and nothing else is', () => {
  const none = { notice: 0, call: 0, deleted: 0, omitted: 0, missing: 0, unreadable: 0 };
  const summary = {
    name: '',
    dates: 'day-month' as const,
    from: '',
    to: '',
    messages: 9,
    people: [],
    attachments: { count: 0, bytes: 0 },
    leftOut: { ...none, call: 1, deleted: 2 },
    split: 1,
    cut: 0,
    quoted: { count: 3, lines: [4, 12_345] },
  };
  assert.deepEqual(leftOutLines(summary), [
    'No viene: 1 llamada.',
    'No viene: 2 mensajes que se eliminaron.',
    'Tan largo que serán varios comentarios: 1 mensaje.',
    'Parecen el comienzo de un mensaje y son parte de otro: 3 líneas del archivo (4, 12\u00a0345…). Mira si es así.',
  ]);
  assert.equal(leftOutText({ older: 0, images: 0, files: 0 }), '');
  assert.equal(
    leftOutText({ older: 2, images: 1, files: 0 }),
    'No se trajo: 2 mensajes de antes de lo que ya había; 1 imagen que no se pudo abrir.',
  );
});
