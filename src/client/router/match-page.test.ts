import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from './match-page.ts';

test('every fixed route is its page', () => {
  assert.deepEqual(pageOf('/'), { name: 'home' });
  for (const name of ['login', 'register', 'create', 'profile', 'password'] as const) {
    assert.deepEqual(pageOf(`/${name}`), { name });
  }
});

test('a channel route carries the decoded id', () => {
  assert.deepEqual(pageOf('/channel/a%20b'), { name: 'channel', id: 'a b' });
});

test('routes match exactly', () => {
  for (const path of [
    '/login/',
    '/Login',
    '/channel',
    '/channel/',
    '/channel/a/b',
    '/nada',
    '//',
  ]) {
    assert.deepEqual(pageOf(path), { name: 'not-found' }, path);
  }
});

test('an address that cannot be decoded is not found', () => {
  assert.deepEqual(pageOf('/channel/%E0%A4%A'), { name: 'not-found' });
});
