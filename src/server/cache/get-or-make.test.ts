import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { LocalLiveBus } from '../live/live-bus.ts';
import { CachedResponse } from './cached-response.ts';
import { getOrMake } from './get-or-make.ts';
import { ResponseCache } from './response-cache.ts';

test('one address that asks for many answers keeps another waiting for few of them', async () => {
  const answers = new ResponseCache(new LocalLiveBus());
  const makers: string[] = [];
  const ask = (ip: string, key: string) =>
    getOrMake(answers, { ip } as FastifyRequest, { key, subject: 'site' }, async () => {
      makers.push(ip);
      return new CachedResponse(key, {});
    });
  const flood = Array.from({ length: 200 }, (_, n) => ask('203.0.113.1', `/?after=${n}`));
  // At the end of its line, where the other is not to wait for it.
  flood.push(ask('203.0.113.1', '/'));
  await Promise.all([...flood, ask('203.0.113.2', '/')]);
  assert.ok(makers.indexOf('203.0.113.2') >= 0 && makers.indexOf('203.0.113.2') <= 8);
  assert.equal(makers.length, 201);
});
