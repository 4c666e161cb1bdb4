import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, LocalLiveBus } from '../live/live-bus.ts';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache, type Subject } from './response-cache.ts';

/** A cache, the bus it listens to, and how often each answer was made. */
function setUp() {
  const live = new LocalLiveBus();
  const cache = new ResponseCache(live);
  const made = new Map<string, number>();
  const get = async (key: string, subject: Subject, accountIds: string[] = []) => {
    const answer = await cache.get(key, subject, async () => {
      made.set(key, (made.get(key) ?? 0) + 1);
      return new CachedResponse(`${key} ${made.get(key)}`, {}, accountIds);
    });
    return answer.bytes.toString();
  };
  return { live, cache, get };
}

const comment = (channelId: string): Change => ({ kind: 'comment', channelId, number: 1 });

test('an answer is made once and kept until what it shows changes', async () => {
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

test('a changed account drops what shows it, and nothing else', async () => {
  const { live, get } = setUp();
  const all = async () => [
    await get('a', { channelId: 'a' }, ['ana', 'eva']),
    await get('b', { channelId: 'b' }, ['eva']),
  ];
  assert.deepEqual(await all(), ['a 1', 'b 1']);
  live.publish({ kind: 'account', accountId: 'ana' });
  assert.deepEqual(await all(), ['a 2', 'b 1']);
});

test('however many ask and however often it changes, one at a time is made, and nobody gets what is older than their asking', async () => {
  const live = new LocalLiveBus();
  const cache = new ResponseCache(live);
  let state = 0;
  let making = 0;
  let made = 0;
  const asked: Promise<void>[] = [];
  const ask = () => {
    const known = state;
    const answering = cache.get('home', 'lists', async () => {
      assert.equal(++making, 1, 'two at once');
      const seen = state;
      // As long as a query and a rendering may take, the state goes on changing.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      making--;
      made++;
      return new CachedResponse(String(seen), {});
    });
    asked.push(answering.then(({ bytes }) => assert.ok(Number(bytes.toString()) >= known)));
  };
  for (let change = 1; change <= 50; change++) {
    for (let reader = 0; reader < 20; reader++) ask();
    state = change;
    live.publish(comment('a'));
    await new Promise(setImmediate);
  }
  await Promise.all(asked);
  assert.ok(made > 1 && made < 50, `${made} made for 50 changes`);
});

test('what fails is told to all who wait, and tried again by the next', async () => {
  const cache = new ResponseCache(new LocalLiveBus());
  const fail = () => cache.get('home', 'lists', () => Promise.reject(new Error('no')));
  for (const asked of [fail(), fail()]) await assert.rejects(asked, /no/);
  const answer = await cache.get('home', 'lists', async () => new CachedResponse('yes', {}));
  assert.equal(answer.bytes.toString(), 'yes');
});

test('while nothing is heard of changes, nothing kept is shown', async () => {
  const live = Object.assign(new LocalLiveBus(), { isListening: true });
  const cache = new ResponseCache(live);
  let made = 0;
  const get = () => cache.get('home', 'lists', async () => new CachedResponse(String(++made), {}));
  await get();
  live.isListening = false;
  assert.equal((await get()).bytes.toString(), '2');
  assert.equal((await get()).bytes.toString(), '3');
});

test('what is kept stays within a bound, the least asked for go first', async () => {
  const { get } = setUp();
  const large = 'x'.repeat(3 * 1024 * 1024);
  await get('first', 'site');
  for (let i = 0; i < 20; i++) {
    await get(`${large}${i}`, 'lists');
    if (i === 0) await get('second', 'site');
  }
  assert.equal(await get('first', 'site'), 'first 2');
});
