import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { overload } from './overload.ts';

test('an overloaded process answers 503 with Retry-After, in Spanish, to all but /healthz, and recovers', async () => {
  // Makes each turn of the event loop longer than the limit.
  changeValues(overload, { maxEventLoopDelay: 20, sampleInterval: 200, afterMs: 0 });
  await using forum = await Forum.start('sqlite');
  let isBusy = true;
  const keepBusy = () => {
    const endMs = performance.now() + overload.maxEventLoopDelay * 3;
    while (performance.now() < endMs);
    if (isBusy) setImmediate(keepBusy);
  };
  const ask = () => forum.call('GET', apiRoutes.channels);
  keepBusy();
  try {
    await eventually('it refuses', async () => !(await ask()).ok);
    const refused = await ask();
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.equal(refused.headers.get('x-content-type-options'), 'nosniff');
    await expectProblem(refused, 503, 'unavailable');
    await expectProblem(
      await forum.call('PUT', apiRoutes.comment, { body: {} }),
      503,
      'unavailable',
    );
    const headers = { accept: 'text/html' };
    const opened = await forum.call('GET', pageRoutes.home, { headers });
    assert.deepEqual([opened.status, opened.headers.get('retry-after')], [503, '5']);
    assert.match(await opened.text(), /<h1>No disponible<.*>Volver a intentarlo</s);
    assert.equal((await forum.call('GET', '/healthz')).status, 200);
  } finally {
    isBusy = false;
  }
  await eventually('it answers again', async () => (await ask()).ok);
});

test('a process whose heap is nearly full answers 503', async () => {
  changeValues(overload, { maxHeapUsedBytes: 1, sampleInterval: 50, afterMs: 0 });
  await using forum = await Forum.start('sqlite');
  await eventually('it refuses', async () => {
    const { status } = await forum.call('GET', apiRoutes.channels);
    return status === 503;
  });
  assert.equal((await forum.call('GET', '/healthz')).status, 200);
});
