import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageRoutes } from '../../shared/routes.ts';
import { pageOf } from './match-page.ts';

test('the path of each page without parameters leads to that page', () => {
  for (const [name, path] of Object.entries(pageRoutes)) {
    if (typeof path === 'string') assert.deepEqual(pageOf(path), { name });
  }
});

test('the path of a channel page gives the decoded id', () => {
  assert.deepEqual(pageOf(pageRoutes.channel('a b')), { name: 'channel', id: 'a b' });
});

test('the path of a person gives the decoded id', () => {
  assert.deepEqual(pageOf(pageRoutes.user('a b')), { name: 'user', id: 'a b' });
});

test('a path that differs in case or has more or fewer segments is not found', () => {
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

test('a path with an invalid percent-encoding is not found', () => {
  assert.deepEqual(pageOf('/channel/%E0%A4%A'), { name: 'not-found' });
});
