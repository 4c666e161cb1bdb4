import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overload } from '../../src/server/http/limits/overload.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import { changeValues } from '../../test/change-values.ts';
import { eventually } from '../../test/eventually.ts';
import { Forum } from '../../test/forum/forum.ts';
import { DemoClient } from './demo-client.ts';

test('the demo retries while the server is too busy', async () => {
  changeValues(overload, { maxEventLoopDelay: 20, sampleInterval: 100, afterMs: 0 });
  await using forum = await Forum.start('sqlite');
  let isBusy = true;
  const keepBusy = () => {
    const endMs = performance.now() + overload.maxEventLoopDelay * 3;
    while (performance.now() < endMs);
    if (isBusy) setImmediate(keepBusy);
  };
  const statuses: number[] = [];
  forum.app.server.on('request', ({ url }, response) => {
    if (url === apiRoutes.signUp) response.once('finish', () => statuses.push(response.statusCode));
  });
  const person = { name: 'Ana', email: 'ana@ejemplo.es', password: 'mirador-de-agua-clara' };
  const join = () =>
    new DemoClient(forum.url).signUp({ ...person, img: assetRoutes.defaultAvatar });
  keepBusy();
  try {
    await eventually('writes are refused', async () => {
      const response = await forum.call('PUT', apiRoutes.comment, { body: {} });
      return response.status === 503;
    });
    const refused = eventually('the demo is refused', async () => statuses.length > 0);
    await Promise.all([
      join(),
      refused.then(() => {
        isBusy = false;
      }),
    ]);
  } finally {
    isBusy = false;
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [503, 201]);
});
