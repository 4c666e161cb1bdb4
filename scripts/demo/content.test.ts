import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { limits } from '../../src/shared/limits.ts';
import { parseChannel, readDemoChannels } from './content.ts';
import { type DemoComment, parseComments } from './parse-comments.ts';
import { demoPeople } from './people.ts';

const pictureDir = path.join(import.meta.dirname, 'pictures');
const channels = readDemoChannels();
const comments = channels.flatMap((channel) => channel.comments);
const texts = comments.map(({ text }) => text);

test('the channels differ: no name or text occurs twice, one has five pages, one has one comment and one none', () => {
  const counts = channels.map((channel) => channel.comments.length);
  assert.ok(channels.length >= 14 && channels.length <= limits.channelsPerPage);
  assert.ok(comments.length >= 600, `${comments.length} comments`);
  assert.ok(Math.max(...counts) > 4 * limits.commentsPerPage);
  assert.equal(counts.filter((count) => count === 1).length, 1);
  assert.equal(counts.filter((count) => count === 0).length, 1);
  assert.equal(new Set(texts).size, texts.length);
  for (const field of ['name', 'description', 'slug', 'coverSeed'] as const)
    assert.equal(new Set(channels.map((channel) => channel[field])).size, channels.length);
});

test('the conversation uses every feature of comments', () => {
  const having = (predicate: (comment: DemoComment) => unknown) =>
    comments.filter(predicate).length;
  assert.ok(having(({ reply }) => reply) > 40);
  assert.ok(having(({ thanks }) => thanks.length > limits.thanksNames));
  assert.ok(having(({ text }) => /@\{\w+\}/.test(text)) >= 4);
  assert.ok(having(({ text }) => /^> /m.test(text)) >= 2);
  assert.ok(having(({ text }) => text.includes('https://')) >= 5);
  assert.ok(having(({ edit }) => edit && edit.afterMinutes < limits.unmarkedEditMinutes));
  assert.ok(having(({ edit }) => edit && edit.afterMinutes > limits.unmarkedEditMinutes));
  assert.ok(having(({ deletedAfterMinutes }) => deletedAfterMinutes));
  assert.ok(channels.some(({ closedHoursAgo }) => closedHoursAgo));
  const images = comments.flatMap((comment) => comment.images);
  assert.ok(having((comment) => comment.images.length > 1));
  assert.equal(new Set(images.map(({ name }) => name)).size, readdirSync(pictureDir).length);
  for (const { alt } of images) assert.ok(alt.length > 20 && alt.length <= limits.imageAltChars);
});

test('everybody comments, nobody thanks or replies to themselves, and the first person wrote none of the unread comments', () => {
  const speakers = new Set(comments.map(({ author }) => author));
  assert.deepEqual([...speakers].sort(), demoPeople.map(({ key }) => key).sort());
  const [first] = demoPeople;
  for (const { comments: written, unread } of channels) {
    for (const { author, thanks, reply } of written) {
      assert.ok(!thanks.includes(author));
      if (reply) assert.notEqual(written[reply - 1]?.author, author);
    }
    const newest = written.slice(written.length - unread);
    assert.ok(
      newest.every(
        ({ author, deletedAfterMinutes }) => author !== first?.key && !deletedAfterMinutes,
      ),
    );
  }
});

test('questions, exclamations and quotations have their opening marks', () => {
  const others = comments.flatMap(({ edit, images }) => [
    ...(edit ? [edit.before] : []),
    ...images.map(({ alt }) => alt),
  ]);
  const descriptions = channels.map(({ description }) => description);
  for (const text of [...texts, ...others, ...descriptions]) {
    const prose = text.replace(/https:\S+/g, '');
    const count = (mark: string) => prose.split(mark).length - 1;
    assert.equal(count('¿'), count('?'), text);
    assert.equal(count('¡'), count('!'), text);
    assert.equal(count('«'), count('»'), text);
  }
});

test('parses the head of a channel, and names an unknown author and a missing field', () => {
  const head =
    'name: Uno\nauthor: lucia\ncover: a\nopened-days-ago: 2\nlatest-hours-ago: 1\n\n' +
    'Línea.\n\nhttps://ejemplo.es\n';
  const channel = parseChannel('uno', `${head}\n---\n\n@tomas Hola: a\n\nb\n\n@noa ¿Sí?\n`);
  assert.equal(channel.name, 'Uno');
  assert.equal(channel.description, 'Línea.\n\nhttps://ejemplo.es');
  const written = channel.comments.map(({ author, text }) => [author, text]);
  assert.deepEqual(written, [
    ['tomas', 'Hola: a\n\nb'],
    ['noa', '¿Sí?'],
  ]);
  assert.throws(() => parseChannel('uno', `${head}\n---\n\n@nadie Hola`), /uno: .*"nadie"/);
  assert.throws(() => parseChannel('uno', head.replace('cover: a\n', '')), /uno: no "cover"/);
});

test('parses the edits, thanks and deletions of a comment', () => {
  const source = [
    '@tomas Uno, @{noa}.\n+ before: Uno.\n+ edited-after-minutes: 3\n+ thanks: noa lucia',
    '@noa Dos.\n\n> Uno\n+ replies-to: tomas «Uno»\n+ image: abanico Un abanico.',
    '@tomas Tres.\n+ replies-to: noa\n+ deleted-after-minutes: 4',
  ].join('\n\n');
  const requirePerson = (key: string) => key;
  assert.deepEqual(parseComments(source, requirePerson), [
    {
      author: 'tomas',
      text: 'Uno, @{noa}.',
      thanks: ['noa', 'lucia'],
      images: [],
      edit: { before: 'Uno.', afterMinutes: 3 },
    },
    {
      author: 'noa',
      text: 'Dos.\n\n> Uno',
      thanks: [],
      images: [{ name: 'abanico', alt: 'Un abanico.' }],
      reply: 1,
    },
    {
      author: 'tomas',
      text: 'Tres.',
      thanks: [],
      images: [],
      reply: 2,
      deletedAfterMinutes: 4,
    },
  ]);
  const unsaid = '@tomas Uno.\n\n@noa Dos.\n+ replies-to: tomas «Tres»';
  assert.throws(() => parseComments(unsaid, requirePerson), /no comment to reply to/);
  assert.throws(() => parseComments('@tomas Uno.\n+ nada: 1', requirePerson), /"nada"/);
});
