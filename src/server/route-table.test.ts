import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { Forum } from '../../test/forum/forum.ts';
import { applyRouteTable } from './route-table.ts';

test('a route without a line, and a line without a route, prevent the start', async (t) => {
  await using forum = await Forum.start('sqlite');
  const app = Fastify();
  t.after(() => app.close());
  applyRouteTable(app, forum.services, {
    'GET /listed': ['everyone', 'read'],
    'PUT /listed': ['readers', 'personal'],
  });
  app.get('/listed', () => '');
  assert.throws(() => app.get('/forgotten', () => ''), /no line for GET \/forgotten/);
  assert.throws(() => app.delete('/listed', () => ''), /no line for DELETE \/listed/);
  await assert.rejects(async () => app.ready(), /names no route: PUT \/listed/);
});

test('the description of the API says which routes take a token', async () => {
  await using forum = await Forum.start('sqlite');
  const { paths } = await forum.json<{
    paths: Record<string, Record<string, { security?: object[] }>>;
  }>('GET', '/api/openapi.json');
  const securityOf = (url: string, method: string) => paths[url]?.[method]?.security;
  assert.equal(securityOf('/api/channels', 'get'), undefined);
  assert.deepEqual(securityOf('/api/channels', 'post'), [{ bearer: [] }]);
  assert.deepEqual(securityOf('/api/uploads/{id}', 'patch'), [{ bearer: [] }]);
  assert.deepEqual(securityOf('/api/reports', 'post'), [{}, { bearer: [] }]);
  assert.deepEqual(securityOf('/api/auth/sign-in', 'post'), [{ basic: [] }]);
});
