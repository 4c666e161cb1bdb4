import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { LocalLiveBus } from '../live/live-bus.ts';
import { Answer } from './cached-response.ts';
import { AnswerCache } from './response-cache.ts';
import { keptOrMade } from './get-or-make.ts';

test('one address that asks for many answers keeps another waiting for few of them', async () => {
  const answers = new AnswerCache(new LocalLiveBus());
  const makers: string[] = [];
  const ask = (ip: string, key: string) =>
    keptOrMade(answers, { ip } as FastifyRequest, { key, subject: 'site' }, async () => {
      makers.push(ip);
      return new Answer(key, {});
    });
  const flood = Array.from({ length: 200 }, (_, n) => ask('203.0.113.1', `/?after=${n}`));
  // At the end of its line, where the other is not to wait for it.
  flood.push(ask('203.0.113.1', '/'));
  await Promise.all([...flood, ask('203.0.113.2', '/')]);
  assert.ok(makers.indexOf('203.0.113.2') >= 0 && makers.indexOf('203.0.113.2') <= 8);
  assert.equal(makers.length, 201);
});
