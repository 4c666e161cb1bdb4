import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { draftKeys, readDraftText, setDraftText } from './draft-texts.ts';

const former = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
const stored: Record<string, string> = { 'draft u1 c1': 'antes' };
let uses = 0;

/** A browser's storage, whose values are its properties. Counts how often it is used. */
const browserStorage = {
  get() {
    uses += 1;
    const methods = {
      getItem: (key: string) => stored[key] ?? null,
      setItem(key: string, value: string) {
        stored[key] = value;
      },
      removeItem: (key: string) => delete stored[key],
    };
    return Object.assign(Object.create(methods), stored);
  },
  configurable: true,
};

before(() => Object.defineProperty(globalThis, 'localStorage', browserStorage));
after(() => {
  setDraftText('draft u1 c1', null);
  if (former) Object.defineProperty(globalThis, 'localStorage', former);
  else Reflect.deleteProperty(globalThis, 'localStorage');
});

test('typing reads and writes no storage until it pauses; any other change is stored at once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal(readDraftText('draft u1 c1'), 'antes');
  assert.deepEqual(draftKeys('draft u1 '), ['c1']);
  uses = 0;
  for (const text of ['a', 'ab', 'abc']) {
    setDraftText('draft u1 c2', text, true);
    assert.equal(readDraftText('draft u1 c2'), text);
    assert.deepEqual(draftKeys('draft u1 '), ['c1', 'c2']);
  }
  assert.equal(uses, 0);
  t.mock.timers.tick(300);
  assert.equal(stored['draft u1 c2'], 'abc');
  assert.equal(uses, 1);
  setDraftText('draft u1 c1', 'luego', true);
  setDraftText('draft u1 c2', null);
  assert.deepEqual(stored, { 'draft u1 c1': 'luego' }, 'with what was typed before');
});
