import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { saveSession } from '../session/save-session.ts';
import { sessionStore } from './browser-storage.ts';
import { currentToken, currentUserId, readSession } from './session.ts';

const user = { id: 'u1', name: 'Ana', email: 'ana@ejemplo.es', img: '/files/images/ana.png' };

beforeEach(() => {
  sessionStore.clear();
  saveSession({ token: 'abc_-9', user });
});

test('a stored session is read as it was saved, without an image too', () => {
  assert.deepEqual(readSession(), user);
  assert.equal(currentToken(), 'abc_-9');
  saveSession({ token: 'abc', user: { ...user, img: null } });
  assert.deepEqual(readSession(), { ...user, img: null });
});

test('a tab is a guest’s when its session has no account, no mark of it or no token that a header could have', () => {
  for (const [key, value] of [
    ['token', ''],
    ['token', 'a b'],
    ['token', 'á'],
    ['id', ''],
    ['isLogged', 'false'],
  ] as const) {
    saveSession({ token: 'abc', user });
    sessionStore.set(key, value);
    assert.equal(readSession(), null, `${key}: ${value}`);
  }
  sessionStore.clear();
  assert.deepEqual([readSession(), currentToken(), currentUserId()], [null, '', '']);
});

test('a session whose name and address are missing is still the account’s', () => {
  for (const key of ['name', 'email']) sessionStore.remove(key);
  assert.deepEqual(readSession(), { ...user, name: '', email: '' });
});
