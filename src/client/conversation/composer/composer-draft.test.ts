import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import { commentNo } from '../../../../test/client/state-examples.ts';
import { localStore } from '../../storage/browser-storage.ts';
import { setDraftText } from '../../storage/draft-texts.ts';
import { discardDraft, readDraft } from '../../storage/drafts.ts';
import { commentTexts } from '../comment-texts.ts';
import {
  addUploads,
  appendToDraft,
  bodyOf,
  changeComposer,
  composerDraft,
  detach,
  isChanged,
  startEditing,
  whyNotAppended,
  withQuotation,
} from './composer-draft.ts';
import { finishUpload, removeUpload } from './end-upload.ts';

const draft = composerDraft('u1', 'c1');
const content = () => readDraft(draft);
const sea = { url: '/files/images/mar.png', alt: 'El mar' };
const beach = { url: '/files/images/playa.png', alt: '' };
const ana = { start: 0, length: 10, accountId: 'u2' };

beforeEach(() => discardDraft(draft));

/**
 * Adds images, or files, with these names. Node has no IndexedDB to store them in, which the client reports on the
 * console.
 */
function choose(t: TestContext, names: string[], areFiles = false): boolean {
  t.mock.method(console, 'warn', () => {});
  const chosen = names.map((name) => new File(['x'], name));
  return addUploads(draft, 'u1', chosen, areFiles);
}

/** A stored upload with this address. */
const stored = (url: string) => ({ url, name: 'x', size: 1, type: 'x/y' });

test('a draft belongs to one account and channel, and is removed when it is emptied', () => {
  changeComposer(draft, { text: 'Hola' });
  assert.equal(readDraft(composerDraft('u2', 'c1')).text, '');
  assert.equal(readDraft(composerDraft('u1', 'c2')).text, '');
  changeComposer(draft, { text: '' });
  assert.deepEqual(localStore.keys(), []);
  changeComposer(draft, { reply: { number: 1 } });
  assert.equal(localStore.keys().length, 1, 'a reply without text is kept');
});

test('a draft keeps its idempotency key, until its reply becomes a new comment', async () => {
  changeComposer(draft, { text: 'H', reply: { number: 1 } });
  const { key } = content();
  assert.match(key, /^[0-9a-f]{32}$/);
  changeComposer(draft, { text: 'Hola', state: 'refused', refusal: 'No.' });
  assert.equal(content().key, key);
  assert.deepEqual(await bodyOf(content()), { comment: 'Hola', replyTo: 1 });
  detach(draft);
  assert.notEqual(content().key, key);
  assert.deepEqual(await bodyOf(content()), { comment: 'Hola' });
  assert.deepEqual([content().state, content().refusal], ['typing', '']);
});

test('a draft that was stored with an excerpt is read, and sent without it', async () => {
  const reply = { number: 1, excerpt: 'Uno' };
  setDraftText(draft.key, JSON.stringify({ text: 'Hola', reply }));
  assert.deepEqual(await bodyOf(content()), { comment: 'Hola', replyTo: 1 });
});

test('a quotation has its mark on each line, and is added below what was typed', () => {
  assert.equal(withQuotation('', 'Uno\n\nDos'), '> Uno\n> \n> Dos\n');
  assert.equal(withQuotation('Hola', 'Uno'), 'Hola\n> Uno\n');
  assert.equal(withQuotation('Hola\n', 'Uno'), 'Hola\n> Uno\n');
});

test('an edit begins with the fields of its comment, and is changed by its text or its images', () => {
  changeComposer(draft, { text: 'A medias' });
  const comment = { ...commentNo(3), comment: 'Uno', images: [sea], revision: 2 };
  startEditing(draft, comment);
  assert.deepEqual(content().editing, { number: 3, revision: 2 });
  assert.equal(content().text, 'Uno');
  assert.equal(isChanged(content(), comment), false);
  assert.equal(isChanged(content(), undefined), true, 'from one that is not loaded');
  changeComposer(draft, { images: [] });
  assert.equal(isChanged(content(), comment), true);
  changeComposer(draft, { images: [sea], text: 'Dos' });
  assert.equal(isChanged(content(), comment), true);
});

test('a withdrawn comment is appended once, after the typed text, with its mentions, images, files and reply', () => {
  const withdrawn = {
    text: '@Ana Belén, mira',
    mentions: [ana],
    images: [sea],
    files: [stored('/files/files/1/acta.pdf')],
    event: null,
    reply: { number: 1 },
  };
  appendToDraft(draft, withdrawn);
  assert.deepEqual(content().reply, withdrawn.reply);
  assert.equal(content().text, withdrawn.text);

  discardDraft(draft);
  changeComposer(draft, { text: 'Otra cosa', images: [beach] });
  const undo = appendToDraft(draft, withdrawn);
  appendToDraft(draft, withdrawn);
  assert.equal(content().text, 'Otra cosa\n\n@Ana Belén, mira');
  assert.deepEqual(content().mentions, [{ ...ana, start: 11 }]);
  assert.deepEqual(content().images, [beach, sea]);
  assert.deepEqual(content().files, withdrawn.files);
  assert.equal(content().reply, null, 'typed text is not made a reply');
  undo();
  assert.equal(content().text, 'Otra cosa');
  assert.deepEqual(content().images, [beach]);

  const late = appendToDraft(draft, withdrawn);
  changeComposer(draft, { text: 'Otra cosa\n\n@Ana Belén, mira esto' });
  late();
  assert.equal(content().text, 'Otra cosa\n\n@Ana Belén, mira esto', 'typed since');
});

test('nothing is appended to a draft that is being sent, or edits a comment', () => {
  changeComposer(draft, { text: 'Hola' });
  assert.equal(whyNotAppended(content()), null);
  for (const state of ['waiting', 'sending'] as const) {
    changeComposer(draft, { state });
    assert.equal(whyNotAppended(content()), commentTexts.waitUntilSent);
  }
  startEditing(draft, commentNo(1));
  assert.match(whyNotAppended(content()) ?? '', /^Antes guarda o descarta los cambios/);
});

test('a comment takes four images at most, and those whose upload was removed leave room', (t) => {
  changeComposer(draft, { images: [sea] });
  assert.equal(choose(t, ['a.png', 'b.png', 'c.png']), false);
  assert.equal(choose(t, ['d.png']), true);
  const names = () => content().uploads.map(({ name }) => name);
  assert.deepEqual(names(), ['a.png', 'b.png', 'c.png']);
  const [first, second] = content().uploads;
  assert.ok(first && second);
  removeUpload(draft, second);
  assert.equal(choose(t, ['e.png', 'f.png']), true);
  assert.deepEqual(names(), ['a.png', 'c.png', 'e.png']);
});

test('an image that two tabs have uploaded is added once, and not at all after one has discarded it', (t) => {
  choose(t, ['mar.png', 'mar.png', 'playa.png']);
  const [first, same, discarded] = content().uploads;
  assert.ok(first && same && discarded);
  finishUpload(draft, first, stored(sea.url));
  changeComposer(draft, { images: [sea] });
  finishUpload(draft, first, stored('/files/images/otra.png'));
  finishUpload(draft, same, stored(sea.url));
  removeUpload(draft, discarded);
  finishUpload(draft, discarded, stored(beach.url));
  assert.deepEqual(content().images, [sea], 'with its alternative text');
  assert.deepEqual(content().uploads, []);
});

test('a comment takes four files beside its images, and sends the addresses of those that are stored', async (t) => {
  choose(t, ['a.png', 'b.png', 'c.png', 'd.png']);
  assert.equal(choose(t, ['acta.pdf', 'b.pdf', 'c.pdf', 'd.pdf'], true), false);
  assert.equal(choose(t, ['e.pdf'], true), true);
  assert.equal(content().uploads.length, 8);
  const minutes = content().uploads.find(({ name }) => name === 'acta.pdf');
  assert.ok(minutes);
  finishUpload(draft, minutes, stored('/files/files/1/acta.pdf'));
  assert.equal(choose(t, ['e.pdf'], true), true, 'a stored one counts as well');
  assert.deepEqual(content().images, []);
  assert.deepEqual(await bodyOf(content()), {
    comment: '',
    files: [{ url: '/files/files/1/acta.pdf' }],
  });
});
