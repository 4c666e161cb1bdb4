import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcedText } from './announced-text.ts';
import type { CommentEvent } from './events.ts';

const date = (start: string, cancelled = false) => ({ start, end: null, cancelled });
const event = (dates: object[]) =>
  ({ title: 'Asamblea', location: 'el local', dates }) as CommentEvent;

const file = { url: '', name: 'acta.pdf', size: 1, type: 'application/pdf' };

test('an announcement says its text, its dates that take place, its files and its images', () => {
  assert.equal(announcedText({ comment: 'Hola', event: null, images: [], files: [] }), 'Hola');
  const dates = [date('2027-03-28T20:30'), date('2027-04-04T20:30', true)];
  assert.equal(
    announcedText({ comment: '', event: event(dates), images: [], files: [] }),
    'Asamblea\ndomingo 28 de marzo, 20:30, en el local',
  );
  const many = [5, 12, 19, 26].map((day) => date(`2027-04-${String(day).padStart(2, '0')}`));
  const images = [
    { url: '', alt: 'Cartel' },
    { url: '', alt: '' },
  ] as Parameters<typeof announcedText>[0]['images'];
  assert.match(
    announcedText({ comment: 'Hola', event: event(many), images, files: [file] }),
    /^Hola\n\nAsamblea\n4 fechas, del lunes 5 de abril al lunes 26 de abril, en el local\n\nArchivo: acta\.pdf\n\nImagen: Cartel\n\nCon una imagen\.$/,
  );
});
