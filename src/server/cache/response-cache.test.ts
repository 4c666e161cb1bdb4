import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicChange } from '../database/public-change.ts';
import { LiveBus } from '../live/bus/live-bus.ts';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache, type Subject } from './response-cache.ts';

/** Creates a cache and its bus. `get` returns the key and how many times its response has been made. */
function setUp() {
  const live = new LiveBus();
  const cache = new ResponseCache(live);
  const made = new Map<string, number>();
  const get = async (key: string, subject: Subject) => {
    const response = await cache.get(key, subject, async () => {
      made.set(key, (made.get(key) ?? 0) + 1);
      return new CachedResponse(`${key} ${made.get(key)}`, {});
    });
    return response.bytes.toString();
  };
  return { live, cache, get };
}

const comment = (channelId: string): PublicChange => ({ kind: 'comment', channelId, number: 1 });

test('a response is made once and cached until its subject changes', async () => {
  const { live, get } = setUp();
  const all = async () => [
    await get('home', 'lists'),
    await get('a', { channelId: 'a' }),
    await get('b', { channelId: 'b' }),
    await get('login', 'site'),
  ];
  assert.deepEqual(await all(), ['home 1', 'a 1', 'b 1', 'login 1']);
  assert.deepEqual(await all(), ['home 1', 'a 1', 'b 1', 'login 1']);
  live.publish(comment('a'));
  assert.deepEqual(await all(), ['home 2', 'a 2', 'b 1', 'login 1']);
  live.publish({ kind: 'channel', channelId: 'c' });
  assert.deepEqual(await all(), ['home 3', 'a 2', 'b 1', 'login 1']);
  live.publishGap();
  assert.deepEqual(await all(), ['home 4', 'a 3', 'b 2', 'login 2']);
});

test('a changed account evicts all responses, because any of them may show its name', async () => {
  const { live, get } = setUp();
  const all = async () => [await get('a', { channelId: 'a' }), await get('home', 'lists')];
  assert.deepEqual(await all(), ['a 1', 'home 1']);
  live.publish({ kind: 'profile', accountId: 'ana' });
  assert.deepEqual(await all(), ['a 2', 'home 2']);
});

test('concurrent reads during changes make one response at a time, and none returns a state older than its call', async () => {
  const live = new LiveBus();
  const cache = new ResponseCache(live);
  let state = 0;
  let making = 0;
  let made = 0;
  const reads: Promise<void>[] = [];
  const read = () => {
    const known = state;
    const response = cache.get('home', 'lists', async () => {
      assert.equal(++making, 1, 'two at once');
      const seen = state;
      // The state changes several times while the response is made.
      for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate);
      making--;
      made++;
      return new CachedResponse(String(seen), {});
    });
    reads.push(response.then(({ bytes }) => assert.ok(Number(bytes.toString()) >= known)));
  };
  for (let change = 1; change <= 50; change++) {
    for (let reader = 0; reader < 20; reader++) read();
    state = change;
    live.publish(comment('a'));
    await new Promise(setImmediate);
  }
  await Promise.all(reads);
  assert.ok(made > 1 && made < 50, `${made} made for 50 changes`);
});

test('a failure rejects all waiting reads, and the next read tries again', async () => {
  const cache = new ResponseCache(new LiveBus());
  const fail = () => cache.get('home', 'lists', () => Promise.reject(new Error('no')));
  for (const failed of [fail(), fail()]) await assert.rejects(failed, /no/);
  const response = await cache.get('home', 'lists', async () => new CachedResponse('yes', {}));
  assert.equal(response.bytes.toString(), 'yes');
});

test('while the bus is disconnected, cached responses are not served', async () => {
  const live = Object.assign(new LiveBus(), { isListening: true });
  const cache = new ResponseCache(live);
  let made = 0;
  const get = () => cache.get('home', 'lists', async () => new CachedResponse(String(++made), {}));
  await get();
  live.isListening = false;
  assert.equal((await get()).bytes.toString(), '2');
  assert.equal((await get()).bytes.toString(), '3');
});

test('a full cache evicts the least recently used responses', async () => {
  const { get } = setUp();
  const large = 'x'.repeat(200 * 1024);
  await get('first', 'site');
  for (let i = 0; i < 80; i++) {
    await get(`${large}${i}`, 'lists');
    if (i === 0) await get('second', 'site');
  }
  assert.equal(await get('first', 'site'), 'first 2');
});

test('a response above a megabyte is not kept, and evicts nothing', async () => {
  const { get } = setUp();
  const large = 'x'.repeat(1024 * 1024);
  await get('first', 'site');
  for (let i = 0; i < 40; i++) await get(`${large}${i}`, 'lists');
  assert.equal(await get('first', 'site'), 'first 1');
  await get(large, 'lists');
  assert.equal(await get(large, 'lists'), `${large} 2`);
});
