import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { changeValues } from '../../../test/change-values.ts';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { overload, shedOverload } from './load-shedding.ts';

/** Caches the response of the home page. */
async function cacheHome(forum: Forum): Promise<void> {
  assert.equal((await forum.call('GET', pageRoutes.home)).status, 200);
}

let asked = 0;
/** Requests a list that is not cached. */
const callUncached = (forum: Forum) => {
  asked++;
  const search = `?limit=${(asked % 100) + 1}&comments=${Math.floor(asked / 100) % 100}`;
  return forum.call('GET', apiRoutes.channels + search);
};

test('answers 503 with Retry-After while the event loop is overloaded, and still serves light and cached routes', async () => {
  // Requests need several turns of the event loop, each of which is made longer than the delay.
  changeValues(overload, { maxDelay: 20, checkEveryMs: 20 });
  await using forum = await Forum.start('sqlite');
  await cacheHome(forum);
  let busy = true;
  const keepBusy = () => {
    const endMs = performance.now() + overload.maxDelay * 2;
    while (performance.now() < endMs);
    if (busy) setImmediate(keepBusy);
  };
  keepBusy();
  let refused = await callUncached(forum);
  while (refused.ok) refused = await callUncached(forum);
  const answered = Promise.all(
    ['/healthz', pageRoutes.home, '/favicon.svg'].map((url) => forum.call('GET', url)),
  );
  const comment = forum.call('PUT', apiRoutes.comment, { body: {} });
  const undecodable = forum.call('GET', '/%ff');
  const headers = { accept: 'text/html' };
  const opened = forum.call('GET', pageRoutes.channel('nada'), { headers });
  const late = Promise.all([answered, comment, undecodable, opened]);
  await late.finally(() => {
    busy = false;
  });
  for (const { status, url } of await answered) assert.equal(status, 200, url);
  await expectProblem(await comment, 503, 'unavailable');
  assert.equal(refused.headers.get('retry-after'), '5');
  assert.equal(refused.headers.get('x-content-type-options'), 'nosniff');
  await expectProblem(refused, 503, 'unavailable');
  await expectProblem(await undecodable, 503, 'unavailable');
  assert.equal((await opened).headers.get('retry-after'), '5');
  assert.match(await (await opened).text(), /<h1>No disponible<.*>Volver a intentarlo</s);
  await eventually('it answers again', async () => (await callUncached(forum)).ok);
});

test('one long task, such as a stalled disk causes, does not count as overload', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  await shedOverload(app, { workers: 1 });
  app.get('/', async () => 'ok');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const statuses = [];
  for (const stallMs of [0, overload.maxDelay * 4]) {
    const endMs = performance.now() + stallMs;
    while (performance.now() < endMs);
    for (let i = 0; i < 20; i++) statuses.push((await fetch(url)).status);
  }
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test('answers 503 while the heap is nearly full, and recovers', async () => {
  changeValues(overload, { maxHeapUsedBytes: process.memoryUsage().heapUsed + 100e6 });
  await using forum = await Forum.start('sqlite');
  await cacheHome(forum);
  assert.equal((await callUncached(forum)).status, 200);
  // Each number takes eight bytes.
  const much = { numbers: new Array(16_000_000).fill(0.5) };
  await eventually('it refuses', async () => !(await callUncached(forum)).ok);
  await expectProblem(await callUncached(forum), 503, 'unavailable');
  for (const url of ['/healthz', pageRoutes.home]) {
    assert.equal((await forum.call('GET', url)).status, 200);
  }
  much.numbers = [];
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await eventually('it answers again', async () => (await callUncached(forum)).ok);
});
