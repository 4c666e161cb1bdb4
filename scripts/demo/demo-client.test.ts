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
  keepBusy();
  const isRefused = async () =>
    (await forum.call('PUT', apiRoutes.comment, { body: {} })).status === 503;
  await eventually('writes are refused', isRefused);
  const person = { name: 'Ana', email: 'ana@ejemplo.es', password: 'mirador-de-agua-clara' };
  const joined = new DemoClient(forum.url).signUp({ ...person, img: assetRoutes.defaultAvatar });
  // Sent after the request of the demo, which has therefore arrived by now.
  await isRefused();
  isBusy = false;
  await joined;
});
