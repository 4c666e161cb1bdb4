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

  test('the OpenAPI description is written in Spanish', async () => {
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
  });

  test('the API has a page to try it', async () => {
    const page = await forum.call('GET', '/api/docs');
    assert.equal(page.status, 200);
    assert.match(await page.text(), /API de tertulia/);
    await expectProblem(await forum.call('GET', '/api/docs/nada'), 404, 'not_found');
  });

  test('an unknown URL, and an unknown method on a known one, get 404', async () => {
    await expectProblem(await forum.call('DELETE', apiRoutes.channels), 404, 'not_found');
    await expectProblem(await forum.call('POST', '/'), 404, 'not_found');
    await expectProblem(await forum.call('GET', '/api/nada'), 404, 'not_found');
    await expectProblem(await forum.call('POST', '/nada'), 404, 'not_found');
  });

  test('a problem names its request', async () => {
    const response = await forum.call('GET', '/api/nada');
    const id = response.headers.get('x-request-id');
    assert.match(id ?? '', /^[0-9a-f-]{36}$/);
    assert.equal((await expectProblem(response, 404, 'not_found')).instance, `urn:uuid:${id}`);
  });

  test('it is ready while the database and the image store respond', async () => {
    assert.equal((await forum.call('GET', '/readyz')).status, 200);
    await using broken = await Forum.start('sqlite');
    await broken.services.db.destroy();
    const response = await broken.call('GET', '/readyz');
    assert.equal(response.headers.get('retry-after'), '5');
    await expectProblem(response, 503, 'unavailable');
    assert.equal((await broken.call('GET', '/healthz')).status, 200);
  });
});
