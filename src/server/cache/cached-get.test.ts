import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { LiveBus } from '../live/bus/live-bus.ts';
import { cachedRoute } from './cached-get.ts';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache } from './response-cache.ts';

test('200 reads from one address delay a read from another address by at most 8 responses', async (t) => {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  t.after(() => app.close());
  const addresses: string[] = [];
  cachedRoute(app, new ResponseCache(new LiveBus()), '/', {
    schema: {},
    read: ({ url, ip }) => ({ url, subject: 'site', load: async () => addresses.push(ip) }),
    respond: (_reply, count) => new CachedResponse(String(count), {}),
  });
  await app.ready();
  const read = (remoteAddress: string, url: string) => app.inject({ url, remoteAddress });
  const flood = Array.from({ length: 200 }, (_, n) => read('203.0.113.1', `/?after=${n}`));
  // A read of the same page is queued for the flooding address: the second address must not wait for it.
  flood.push(read('203.0.113.1', '/'));
  await Promise.all([...flood, read('203.0.113.2', '/')]);
  const position = addresses.indexOf('203.0.113.2');
  assert.ok(position >= 0 && position <= 8, `position ${position}`);
  assert.equal(addresses.length, 201);
});

test('costly reads, however many wait, leave a slot for other reads', async (t) => {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  t.after(() => app.close());
  const end = Promise.withResolvers<string>();
  cachedRoute(app, new ResponseCache(new LiveBus()), '/', {
    schema: {},
    read: ({ url }) => {
      const isUnusual = url.includes('costly');
      return { url, subject: 'site', isUnusual, load: async () => isUnusual && end.promise };
    },
    respond: (_reply, text) => new CachedResponse(String(text), {}),
  });
  await app.ready();
  // Await here, because `inject` starts a request only when its promise is awaited.
  const read = async (n: number, url: string) =>
    await app.inject({ url, remoteAddress: `203.0.113.${n}` });
  const costly = Array.from({ length: 5 }, (_, n) => read(n, `/?costly=${n}`));
  assert.equal((await read(9, '/')).body, 'false');
  end.resolve('costly');
  for (const { body } of await Promise.all(costly)) assert.equal(body, 'costly');
});
