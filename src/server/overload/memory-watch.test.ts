import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { eventually } from '../../../test/eventually.ts';
import { shedOverload } from './load-shedding.ts';
import { isShortAt, residentBound } from './memory-watch.ts';

test('after a shortage, memory counts as sufficient only well below the bound', () => {
  assert.equal(isShortAt(999, 1000, false), false);
  assert.equal(isShortAt(1001, 1000, false), true);
  assert.equal(isShortAt(950, 1000, true), true);
  assert.equal(isShortAt(899, 1000, true), false);
});

test('divides the memory bound among the processes, up to 1.5 GB each', () => {
  assert.ok(residentBound(1) <= 1.5 * 1024 ** 3);
  assert.ok(residentBound(1) >= 200e6);
  assert.ok(residentBound(64) <= residentBound(1));
});

test('refuses heavy routes and serves all others while memory is short', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  await shedOverload(app, { workers: 1 }, process.memoryUsage.rss() + 150e6);
  app.get('/heavy', { config: { load: 'heavy' } }, async () => 'x');
  app.get('/other', async () => 'x');
  const statusOf = async (url: string) => (await app.inject(url)).statusCode;
  assert.equal(await statusOf('/heavy'), 200);
  const much = { bytes: Buffer.alloc(300e6, 1) };
  await eventually('it refuses', async () => (await statusOf('/heavy')) !== 200);
  assert.equal(await statusOf('/other'), 200);
  assert.ok(much.bytes.length);
  much.bytes = Buffer.alloc(0);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await eventually('it answers again', async () => (await statusOf('/heavy')) === 200);
});
