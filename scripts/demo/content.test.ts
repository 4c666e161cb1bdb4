import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/shared/limits.ts';
import { parseChannel, readDemoChannels } from './content.ts';
import { demoPeople } from './people.ts';

const channels = readDemoChannels();
const comments = channels.flatMap((channel) => channel.comments);
const texts = comments.map(({ text }) => text);

test('the channels differ in length: one of several pages, one with one comment, one with none', () => {
  const counts = channels.map((channel) => channel.comments.length);
  assert.ok(channels.length >= 14 && channels.length <= limits.channelsPerPage);
  assert.ok(comments.length >= 320, `${comments.length} comments`);
  assert.ok(Math.max(...counts) > 2 * limits.commentsPerPage);
  assert.equal(counts.filter((count) => count === 1).length, 1);
  assert.equal(counts.filter((count) => count === 0).length, 1);
});

test('no text, name or seed occurs twice', () => {
  assert.equal(new Set(texts).size, texts.length);
  for (const field of ['name', 'description', 'slug', 'coverSeed'] as const) {
    assert.equal(new Set(channels.map((channel) => channel[field])).size, channels.length);
  }
});

test('each person of the demo comments', () => {
  const speakers = new Set(comments.map(({ author }) => author));
  assert.deepEqual([...speakers].sort(), demoPeople.map(({ key }) => key).sort());
});

test('questions, exclamations and quotations have their opening marks', () => {
  for (const text of [...texts, ...channels.map(({ description }) => description)]) {
    const prose = text.replace(/https:\S+/g, '');
    const count = (mark: string) => prose.split(mark).length - 1;
    assert.equal(count('¿'), count('?'), text);
    assert.equal(count('¡'), count('!'), text);
    assert.equal(count('«'), count('»'), text);
  }
});

test('parses texts with paragraphs, and an address at the start of a line as text', () => {
  const source =
    'name: Uno\nauthor: lucia\ncover: a\nopened-days-ago: 2\nlatest-hours-ago: 1\n\n' +
    'Línea.\n\nhttps://ejemplo.es\n\n---\n\n@tomas Hola: a\n\nb\n\n@noa ¿Sí?\n';
  const { description, comments: parsed, name } = parseChannel('uno', source);
  assert.equal(name, 'Uno');
  assert.equal(description, 'Línea.\n\nhttps://ejemplo.es');
  assert.deepEqual(parsed, [
    { author: 'tomas', text: 'Hola: a\n\nb' },
    { author: 'noa', text: '¿Sí?' },
  ]);
});

test('names an unknown author and a missing field', () => {
  const head =
    'name: Uno\nauthor: lucia\ncover: a\nopened-days-ago: 2\nlatest-hours-ago: 1\n\nTexto.\n';
  assert.throws(() => parseChannel('uno', `${head}\n---\n\n@nadie Hola`), /uno: .*"nadie"/);
  assert.throws(() => parseChannel('uno', head.replace('cover: a\n', '')), /uno: no "cover"/);
});
