import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';

test('the API description is loaded again after a failure to load it', async () => {
  await using forum = await Forum.start('sqlite');
  const unreadable = registerHooks({
    load: (url, context, nextLoad) => {
      if (url.endsWith('/api-description.ts')) throw new Error('EMFILE: too many open files');
      return nextLoad(url, context);
    },
  });
  assert.equal((await forum.call('GET', '/api/openapi.json')).status, 500);
  unreadable.deregister();
  assert.equal((await forum.call('GET', '/api/openapi.json')).status, 200);
});
