import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import type { PendingPost } from '../../shared/pending.ts';
import { newChannelDraft, returnToCreateForm } from './channel-draft.ts';
import { changeDraft, discardDraft, readDraft } from './drafts.ts';
import { deleteLocalFiles, readLocalFile } from './local-files.ts';

const withdrawn = {
  name: 'Cine',
  description: 'Películas con gente',
  cover: '/files/images/cine.png',
  coverAlt: 'Una sala',
} as PendingPost;
const draft = newChannelDraft('u1');
const coverFile = () => readLocalFile('u1 cover');

beforeEach(async (t) => {
  discardDraft(draft);
  // Node has no IndexedDB to store files in, which the client reports on the console.
  (t as TestContext).mock.method(console, 'warn', () => {});
  await deleteLocalFiles('u1 ');
});

/** Answers requests for the cover. */
const serveCover = (t: TestContext, answer: () => Promise<Response>) =>
  t.mock.method(globalThis, 'fetch', answer);

test('a withdrawn channel fills an empty form, with its cover, and can be taken out again', async (t) => {
  serveCover(t, async () => new Response('portada'));
  const undo = await returnToCreateForm('u1', withdrawn);
  const { name, description, cover, coverAlt } = readDraft(draft);
  assert.deepEqual({ name, description, cover, coverAlt }, withdrawn);
  assert.equal(await (await coverFile())?.text(), 'portada');
  undo();
  assert.equal(readDraft(draft).name, '');
});

test('a withdrawn channel is appended to what the form has, once, and what is typed afterwards stays', async (t) => {
  serveCover(t, async () => assert.fail('the form has a cover'));
  const mine = { name: 'Libros', description: 'Los míos', cover: '/files/images/a.png' };
  changeDraft(draft, mine);
  const undo = await returnToCreateForm('u1', withdrawn);
  const description = 'Los míos\n\nCine\n\nPelículas con gente';
  assert.partialDeepStrictEqual(readDraft(draft), { ...mine, description, coverAlt: '' });
  const undoNothing = await returnToCreateForm('u1', withdrawn);
  assert.equal(readDraft(draft).description, description);
  undoNothing();
  assert.equal(readDraft(draft).description, description);
  changeDraft(draft, { name: 'Libros y cine' });
  undo();
  assert.equal(readDraft(draft).description, description);
});

test('a withdrawn channel whose cover cannot be read comes back without it', async (t) => {
  const answers = [
    async () => new Response('', { status: 404 }),
    () => Promise.reject(new TypeError('another site')),
  ];
  for (const answer of answers) {
    t.mock.restoreAll();
    t.mock.method(console, 'warn', () => {});
    discardDraft(draft);
    serveCover(t, answer);
    await returnToCreateForm('u1', withdrawn);
    assert.partialDeepStrictEqual(readDraft(draft), { name: 'Cine', cover: null, coverAlt: '' });
    assert.equal(await coverFile(), null);
  }
});
