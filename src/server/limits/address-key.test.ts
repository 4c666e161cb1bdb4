import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKey } from './address-key.ts';

test('an IPv4 address has one key, however it is written', () => {
  for (const written of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107']) {
    assert.equal(addressKey(written), '203.0.113.7');
  }
  assert.notEqual(addressKey('203.0.113.8'), '203.0.113.7');
});

test('an IPv6 network of 64 bits counts as one address', () => {
  for (const written of [
    '2001:db8:1:2::1',
    '2001:0db8:1:2:ffff:ffff:ffff:ffff',
    '2001:DB8:1:2::',
  ]) {
    assert.equal(addressKey(written), '2001:db8:1:2::/64');
  }
  assert.notEqual(addressKey('2001:db8:1:3::1'), '2001:db8:1:2::/64');
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

test('a port that a proxy appends is ignored', () => {
  assert.equal(addressKey('203.0.113.7:50000'), '203.0.113.7');
  assert.equal(addressKey('[2001:db8:1:2::1]:50000'), '2001:db8:1:2::/64');
  assert.equal(addressKey('[2001:db8:1:2::1]'), '2001:db8:1:2::/64');
});

test('callers without a valid address share one key', () => {
  for (const address of [
    'unknown',
    '',
    'x'.repeat(15_000),
    '1.2.3.4.5',
    '1.2.3.4:',
    '[x]:1',
    undefined,
  ]) {
    assert.equal(addressKey(address), 'unknown');
  }
});
