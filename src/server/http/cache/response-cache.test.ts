import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveBus } from '../../database/bus/live-bus.ts';
import type { PublicChange } from '../../database/bus/public-change.ts';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache } from './response-cache.ts';

/**
 * Creates a cache and its bus. `get` returns the key and how often its response has been made, of something that shows
 * only one channel if that is named.
 */
function setUp() {
  const live = new LiveBus();
  const cache = new ResponseCache(live);
  const made = new Map<string, number>();
  const get = async (key: string, channelId?: string) => {
    const make = async () => {
      made.set(key, (made.get(key) ?? 0) + 1);
      return new CachedResponse(`${key} ${made.get(key)}`, {});
    };
    return (await cache.get(key, make, channelId)).bytes.toString();
  };
  return { live, cache, get };
}

const comment = (channelId: string): PublicChange => ({ kind: 'comment', channelId, number: 1 });

test('a response is made once and cached until anything public changes', async () => {
  const { live, get } = setUp();
  const all = async () => [await get('home'), await get('a')];
  const changes: (() => void)[] = [
    () => live.publish(comment('a')),
    () => live.publish({ kind: 'channel', channelId: 'c' }),
    () => live.publish({ kind: 'counts', channelId: 'c' }),
    () => live.publish({ kind: 'profile', accountId: 'ana' }),
    () => live.publishGap(),
  ];
  for (const [index, change] of changes.entries()) {
    const made = [`home ${index + 1}`, `a ${index + 1}`];
    assert.deepEqual(await all(), made);
    assert.deepEqual(await all(), made);
    change();
  }
});

test('a comment or thanks keeps what shows only another channel, and any other change nothing', async () => {
  const { live, get } = setUp();
  const all = () => Promise.all([get('home'), get('page of a', 'a'), get('page of b', 'b')]);
  await all();
  live.publish(comment('a'));
  assert.deepEqual(await all(), ['home 2', 'page of a 2', 'page of b 1']);
  live.publish({ kind: 'counts', channelId: 'b' });
  assert.deepEqual(await all(), ['home 3', 'page of a 2', 'page of b 2']);
  live.publish({ kind: 'channel', channelId: 'a' });
  assert.deepEqual(await all(), ['home 4', 'page of a 3', 'page of b 3']);

  // The same holds for a response that is being made.
  live.publish({ kind: 'profile', accountId: 'ana' });
  const making = all();
  live.publish(comment('a'));
  await making;
  assert.deepEqual(await all(), ['home 6', 'page of a 5', 'page of b 4']);
});

test('reads share the response being made until a change, so that none returns a state older than its call', async () => {
  const live = new LiveBus();
  const cache = new ResponseCache(live);
  let state = 0;
  let made = 0;
  const reads: Promise<void>[] = [];
  const read = () => {
    const known = state;
    const response = cache.get('home', async () => {
      made++;
      const seen = state;
      // The state changes several times while the response is made.
      for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate);
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
  assert.equal(made, 50);
  assert.equal(cache.cached('home'), undefined);
});

test('a failure rejects all waiting reads, and the next read tries again', async () => {
  const cache = new ResponseCache(new LiveBus());
  const fail = () => cache.get('home', () => Promise.reject(new Error('no')));
  for (const failed of [fail(), fail()]) await assert.rejects(failed, /no/);
  const response = await cache.get('home', async () => new CachedResponse('yes', {}));
  assert.equal(response.bytes.toString(), 'yes');
});

test('while the bus is disconnected, cached responses are not served', async () => {
  const live = Object.assign(new LiveBus(), { isListening: true });
  const cache = new ResponseCache(live);
  let made = 0;
  const get = () => cache.get('home', async () => new CachedResponse(String(++made), {}));
  await get();
  live.isListening = false;
  assert.equal((await get()).bytes.toString(), '2');
  assert.equal((await get()).bytes.toString(), '3');
});

test('a full cache evicts the least recently used responses, and does not keep one above a megabyte', async () => {
  const { get } = setUp();
  const [large, tooLarge] = ['x'.repeat(200 * 1024), 'x'.repeat(1024 * 1024)];
  await get('first');
  for (let i = 0; i < 40; i++) await get(`${tooLarge}${i}`);
  assert.equal(await get('first'), 'first 1');
  assert.equal(await get(`${tooLarge}1`), `${tooLarge}1 2`);
  for (let i = 0; i < 80; i++) {
    await get(`${large}${i}`);
    assert.equal(await get('second'), 'second 1');
  }
  assert.equal(await get(`${large}79`), `${large}79 1`);
  assert.equal(await get('first'), 'first 2');
});
