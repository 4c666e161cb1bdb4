import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageRoutes } from '../../shared/routes.ts';
import { isForGuests, isWayIn, pageOf } from './match-page.ts';

test('the path of each page leads to that page, with its decoded id', () => {
  for (const [name, path] of Object.entries(pageRoutes)) {
    if (typeof path === 'string') assert.deepEqual(pageOf(path), { name });
  }
  assert.deepEqual(pageOf(pageRoutes.channel('a b')), { name: 'channel', id: 'a b' });
  assert.deepEqual(pageOf(pageRoutes.user('a b')), { name: 'user', id: 'a b' });
});

test('a path that differs in case, has other segments or an invalid percent-encoding is not found', () => {
  for (const path of [
    ...['/login/', '/Login', '/channel', '/channel/', '/channel/a/b', '/nada', '//'],
    '/channel/%E0%A4%A',
  ]) {
    assert.deepEqual(pageOf(path), { name: 'not-found' }, path);
  }
});

test('only the forms to sign in and up are for guests, and no link leads back to a page that opens a session', () => {
  const paths = Object.values(pageRoutes).filter((path) => typeof path === 'string');
  const { login, register, recover, password, confirm } = pageRoutes;
  assert.deepEqual(paths.filter(isForGuests).sort(), [login, register].sort());
  const waysIn = [login, register, recover, password, confirm];
  assert.deepEqual(paths.filter(isWayIn).sort(), waysIn.sort());
});
