import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { localStore } from './browser-storage.ts';

const former = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
/** Values of the simulated storage. Reading and writing throw while `isForbidden`, writing also while `isFull`. */
let stored: Record<string, string> = {};
let isForbidden = false;
let isFull = false;

/** A browser's storage: its values are properties of its own. */
const browserStorage = {
  get: () => {
    if (isForbidden) throw new Error('forbidden');
    const methods = {
      getItem: (key: string) => stored[key] ?? null,
      setItem(key: string, value: string) {
        if (isFull) throw new Error('full');
        stored[key] = value;
      },
      removeItem: (key: string) => delete stored[key],
      clear() {
        stored = {};
      },
    };
    return Object.assign(Object.create(methods), stored);
  },
  configurable: true,
};

beforeEach(() => {
  // Values that earlier files have kept in memory.
  localStore.clear();
  Object.defineProperty(globalThis, 'localStorage', browserStorage);
});
afterEach(() => {
  [isForbidden, isFull] = [false, false];
  localStore.clear();
  if (former) Object.defineProperty(globalThis, 'localStorage', former);
  else Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a value is stored in the browser, and no longer after it is removed', () => {
  localStore.set('a', '1');
  assert.deepEqual(stored, { a: '1' });
  assert.equal(localStore.isOnlyInMemory('a'), false);
  assert.deepEqual(localStore.keys(), ['a']);
  localStore.remove('a');
  assert.deepEqual([stored, localStore.get('a')], [{}, null]);
});

test('a value for which the browser has no room replaces the earlier one in memory, until there is room', () => {
  localStore.set('a', '1');
  isFull = true;
  localStore.set('a', '2');
  assert.equal(localStore.get('a'), '2');
  assert.deepEqual(localStore.keys(), ['a']);
  assert.equal(localStore.isOnlyInMemory('a'), true);
  isFull = false;
  localStore.set('a', '3');
  assert.deepEqual(stored, { a: '3' });
  assert.equal(localStore.isOnlyInMemory('a'), false);
});

test('where storage is forbidden, values stay in memory until they are removed', () => {
  isForbidden = true;
  localStore.set('a', '1');
  assert.equal(localStore.get('a'), '1');
  assert.deepEqual(localStore.keys(), ['a']);
  localStore.remove('a');
  assert.equal(localStore.get('a'), null);
  assert.deepEqual(localStore.keys(), []);
});
