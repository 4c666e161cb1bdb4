import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnPage } from './next-page.ts';

test('accepts the addresses of pages of this site, with query and fragment', () => {
  for (const address of ['/', '/settings?a=1#b', '/channel/a%20b?n=17#responder-17'])
    assert.equal(isOwnPage(address), true, address);
});

test('refuses other sites, in every spelling, and pages that do not exist or lead to a session', () => {
  for (const address of [
    '',
    'channel/a',
    'https://example.org/',
    'javascript:alert(1)',
    '//example.org',
    '//example.org/channel/a',
    '/\\example.org/channel/a',
    '/channel/a\\b',
    '/\t/example.org',
    '/channel/a\n',
    '/channel/a?b=//example.org',
    '/.//example.org',
    '/nowhere',
    '/login',
    '/register?next=/',
    '/password#key',
  ]) {
    assert.equal(isOwnPage(address), false, JSON.stringify(address));
  }
});
