import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn } from './chat-days.ts';
import { leftOutLines, leftOutText, remainingText } from './import-texts.ts';

test('the remaining time is said in minutes, and in hours from ninety of them', () => {
  assert.equal(remainingText(20), 'Falta menos de un minuto.');
  assert.equal(remainingText(60), 'Falta un minuto, más o menos.');
  assert.equal(remainingText(89 * 60), 'Faltan unos 89 minutos.');
  assert.equal(remainingText(90 * 60), 'Faltan unas 2 horas.');
});

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

test('a day that was read with the day first changes its month where the month comes first', () => {
  assert.equal(dayIn('day-month', '2024-03-04T09:05:12'), '2024-03-04');
  assert.equal(dayIn('month-day', '2024-03-04T09:05:12'), '2024-04-03');
});
