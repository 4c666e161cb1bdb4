import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { Forum } from '../../test/forum/forum.ts';
import { applyRouteTable, routeTable } from './route-table.ts';

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

test('only staff may call moderation, and only accounts may write, except to sign in', () => {
  const opensSession = /^\w+ \/api\/auth\//;
  const takesTokenOfMail = /^POST (\/api\/user\/email\/confirm|\/unsubscribe\/:token)$/;
  for (const [route, [callers]] of Object.entries(routeTable)) {
    const isStaff = callers === 'staff' || callers === 'admins';
    if (route.includes(' /api/moderation/')) assert.ok(isStaff, route);
    const isRead = /^(GET|HEAD|OPTIONS) /.test(route);
    if (isRead || opensSession.test(route) || takesTokenOfMail.test(route)) continue;
    assert.notEqual(callers, 'everyone', route);
  }
});

test('only build files and preflights do without a line', async () => {
  const registered: string[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) registered.push(`${one} ${url}`);
    });
  };
  subscribe('fastify.initialization', watch);
  await using _forum = await Forum.start('sqlite');
  unsubscribe('fastify.initialization', watch);
  const others = registered.filter(
    (route) => !(route in routeTable) && !(route.replace('HEAD', 'GET') in routeTable),
  );
  const buildFile = /^(GET|HEAD) \/(assets\/)?[\w-]+\.(js|css|svg|png|txt)$/;
  assert.deepEqual(
    new Set(others.filter((route) => !buildFile.test(route))),
    new Set(['OPTIONS *']),
  );
});

describe('the description of the API', () => {
  /** Security of each described call. */
  let described: Map<string, object[] | undefined>;
  before(async () => {
    await using forum = await Forum.start('sqlite');
    const { paths } = await forum.json<{
      paths: Record<string, Record<string, { security?: object[] }>>;
    }>('GET', '/api/openapi.json');
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => {
        const pattern = path.replace(/\{(\w+)\}/g, ':$1');
        return [`${method.toUpperCase()} ${pattern}`, security] as const;
      }),
    );
    described = new Map(calls);
  });

  test('has every route below /api and the routes that programs call', () => {
    const otherPaths = [
      'GET /files/images/:name',
      'GET /files/images/:name/:variant',
      'GET /healthz',
      'GET /readyz',
    ];
    const undescribed = /^(GET \/api\/(docs|openapi)|HEAD |OPTIONS )/;
    const below = Object.keys(routeTable).filter((route) => / \/api\//.test(route));
    const expected = [...below.filter((route) => !undescribed.test(route)), ...otherPaths];
    assert.deepEqual([...described.keys()].sort(), expected.sort());
  });

  test('has the routes of the specification', () => {
    const specified = [
      'GET /api/channels',
      'POST /api/channels',
      'POST /api/auth/sign-in',
      'POST /api/auth/sign-up',
      'PUT /api/user/update-img',
      'PUT /api/channels/comment',
    ];
    assert.deepEqual(
      specified.filter((route) => !described.has(route)),
      [],
    );
  });

  test('says which routes take a token', () => {
    for (const [route, security] of described) {
      const [callers] = routeTable[route] ?? [];
      const bearer = (security ?? []).filter((one) => 'bearer' in one);
      assert.equal(bearer.length, callers === 'everyone' ? 0 : 1, route);
    }
    assert.deepEqual(described.get('POST /api/reports'), [{}, { bearer: [] }]);
    assert.deepEqual(described.get('POST /api/auth/sign-in'), [{ basic: [] }]);
  });
});
