import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../test/forum.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { overload } from './overload.ts';

test('with more to do than time, callers are told to come back, and the server that it lives', {
  timeout: 60_000,
}, async (t) => {
  const forum = await Forum.start('sqlite');
  t.after(() => forum.stop());
  let busy = true;
  const keepBusy = () => {
    const endMs = performance.now() + overload.maxEventLoopDelay * 2;
    while (performance.now() < endMs);
    if (busy) setImmediate(keepBusy);
  };
  keepBusy();
  let refused = await forum.call('GET', apiRoutes.channels);
  while (refused.ok) refused = await forum.call('GET', apiRoutes.channels);
  const health = forum.call('GET', '/healthz');
  busy = false;
  assert.equal((await health).status, 200);
  assert.equal(refused.headers.get('retry-after'), '5');
  assert.equal(refused.headers.get('x-content-type-options'), 'nosniff');
  await expectProblem(refused, 503, 'unavailable');
  await eventually('it answers again', async () => (await forum.call('GET', '/')).ok);
});

test('with its memory full, callers are told to come back until there is room again', async (t) => {
  const atMost = overload.maxHeapUsedBytes;
  t.after(() => {
    overload.maxHeapUsedBytes = atMost;
  });
  overload.maxHeapUsedBytes = process.memoryUsage().heapUsed + 100e6;
  const forum = await Forum.start('sqlite');
  t.after(() => forum.stop());
  const list = () => forum.call('GET', apiRoutes.channels);
  assert.equal((await list()).status, 200);
  // Eight bytes each.
  const much = { numbers: new Array(16_000_000).fill(0.5) };
  await eventually('it refuses', async () => !(await list()).ok);
  await expectProblem(await list(), 503, 'unavailable');
  assert.equal((await forum.call('GET', '/healthz')).status, 200);
  much.numbers = [];
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await eventually('it answers again', async () => (await list()).ok);
});
