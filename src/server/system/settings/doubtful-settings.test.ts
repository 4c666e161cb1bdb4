import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from './config.ts';
import { findDoubts } from './doubtful-settings.ts';

const doubtsOf = (env: Record<string, string>) => findDoubts(parseConfig(env)).join();

test('names settings by which passwords could be guessed or read, and what to do', () => {
  for (const [env, expected] of [
    [{ PUBLIC_URL: 'https://foro.example' }, /Set TRUST_PROXY=1$/],
    [{ PUBLIC_URL: 'http://foro.example' }, /use https$/],
    [{ RATE_LIMITS: 'off' }, /^RATE_LIMITS is off.*Remove the setting$/],
  ] as const) {
    assert.match(doubtsOf(env), expected);
  }
});

test('doubts neither a site behind a proxy with TLS nor one on this machine', () => {
  for (const env of [
    {},
    { PUBLIC_URL: 'https://foro.example', TRUST_PROXY: '1' },
    { PUBLIC_URL: 'http://localhost:3000' },
    { PUBLIC_URL: 'http://[::1]:3000' },
  ] as const) {
    assert.equal(doubtsOf(env), '');
  }
});
