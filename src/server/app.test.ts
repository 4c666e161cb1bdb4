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

  test('the OpenAPI description has every route of the contract', async () => {
    const { paths } = await forum.json<{ paths: Record<string, object> }>(
      'GET',
      '/api/openapi.json',
    );
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = [
      'GET /api/channels',
      'POST /api/channels',
      'GET /api/channels/{id}',
      'GET /api/channels/{id}/comments',
      'GET /api/channels/{id}/live',
      'PUT /api/channels/comment',
      'PATCH /api/channels/{id}/comments/{number}',
      'DELETE /api/channels/{id}/comments/{number}',
      'POST /api/channels/{id}/comments/{number}/restore',
      'GET /api/channels/{id}/comments/{number}/replies',
      'GET /api/channels/{id}/comments/{number}/thanks',
      'PUT /api/channels/{id}/comments/{number}/thanks',
      'DELETE /api/channels/{id}/comments/{number}/thanks',
      'GET /api/channels/{id}/thanks',
      'PATCH /api/channels/{id}',
      'DELETE /api/channels/{id}',
      'POST /api/channels/{id}/restore',
      'POST /api/channels/{id}/close',
      'POST /api/channels/{id}/reopen',
      'GET /api/user/trash',
      'GET /api/user/news',
      'PUT /api/user/reads',
      'GET /api/user/notifications',
      'PUT /api/user/notifications/seen',
      'PUT /api/channels/{id}/level',
      'GET /api/users',
      'GET /api/users/{id}',
      'GET /api/users/{id}/channels',
      'GET /api/users/{id}/comments',
      'POST /api/auth/sign-up',
      'POST /api/auth/sign-in',
      'POST /api/auth/sign-out',
      'GET /api/user/me',
      'PUT /api/user/update-img',
      'POST /api/uploads',
      'PATCH /api/uploads/{id}',
      'GET /api/files/images/{name}',
      'GET /files/images/{name}',
      'GET /healthz',
      'GET /readyz',
    ];
    assert.deepEqual(
      expected.filter((call) => !calls.includes(call)),
      [],
    );
    const page = await forum.call('GET', '/api/docs');
    assert.equal(page.status, 200);
    const html = await page.text();
    assert.match(html, /API de tertulia/);
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
