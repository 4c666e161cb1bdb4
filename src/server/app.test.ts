import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectProblem, Forum } from '../../test/forum/forum.ts';
import { apiRoutes } from '../shared/api-routes.ts';

describe('the app as a whole', () => {
  let forum: Forum;
  before(async () => {
    forum = await Forum.start('sqlite');
  });
  after(() => forum.stop());

  test('describes its API in Spanish, on a page to try it', async () => {
    const english: string[] = [];
    const collect = (value: unknown) => {
      if (!(value instanceof Object)) return;
      for (const [key, part] of Object.entries(value)) {
        const isText = typeof part === 'string' && ['summary', 'description'].includes(key);
        if (isText && /\b(the|of|and|at|is|up to|until|most)\b/i.test(part)) english.push(part);
        collect(part);
      }
    };
    collect(await forum.json('GET', '/api/openapi.json'));
    assert.deepEqual(english, []);
    assert.match(await (await forum.call('GET', '/api/docs')).text(), /API de tertulia/);
  });

  test('answers 404 to an unknown URL and to an unknown method of a known one, and names the request', async () => {
    for (const route of [`DELETE ${apiRoutes.channels}`, 'POST /', 'POST /nada', 'GET /api/nada']) {
      const [method = '', url = ''] = route.split(' ');
      const response = await forum.call(method, url);
      const id = response.headers.get('x-request-id');
      assert.match(id ?? '', /^[0-9a-f-]{36}$/);
      assert.equal((await expectProblem(response, 404, 'not_found')).instance, `urn:uuid:${id}`);
    }
    await expectProblem(await forum.call('GET', '/api/docs/nada'), 404, 'not_found');
  });

  test('is ready while the database responds, and alive without it', async () => {
    assert.equal((await forum.call('GET', '/readyz')).status, 200);
    await forum.closeDatabase();
    const response = await forum.call('GET', '/readyz');
    assert.equal(response.headers.get('retry-after'), '5');
    await expectProblem(response, 503, 'unavailable');
    assert.equal((await forum.call('GET', '/healthz')).status, 200);
  });
});
