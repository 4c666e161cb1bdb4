import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { Forum } from '../../test/forum/forum.ts';
import { applyRouteTable, routeTable } from './route-table.ts';

test('only staff may call moderation, and only accounts may write, except to sign in', () => {
  const opensSession = /^\w+ \/api\/auth\//;
  const takesTokenOfMail =
    /^POST (\/api\/user\/email\/confirm|\/(unsubscribe|rsvp|withdraw)\/:token)$/;
  for (const [route, [callers]] of Object.entries(routeTable)) {
    const isStaff = callers === 'staff' || callers === 'admins';
    if (route.includes(' /api/moderation/')) assert.ok(isStaff, route);
    const isRead = /^(GET|HEAD|OPTIONS) /.test(route);
    if (isRead || opensSession.test(route) || takesTokenOfMail.test(route)) continue;
    assert.ok(callers !== 'everyone' && callers !== 'always everyone', route);
  }
});

describe('the routes of an app', () => {
  let forum: Forum;
  const registered: string[] = [];
  before(async () => {
    const watch = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance };
      fastify.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) registered.push(`${one} ${url}`);
      });
    };
    subscribe('fastify.initialization', watch);
    forum = await Forum.start('sqlite');
    unsubscribe('fastify.initialization', watch);
  });
  after(() => forum?.stop());

  test('a route without a line, and a line without a route, prevent the start', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    applyRouteTable(app, forum.services, async () => {}, {
      'GET /listed': ['everyone', 'read'],
      'PUT /listed': ['readers', 'personal'],
    });
    app.get('/listed', () => '');
    assert.throws(() => app.get('/forgotten', () => ''), /no line for GET \/forgotten/);
    assert.throws(() => app.delete('/listed', () => ''), /no line for DELETE \/listed/);
    await assert.rejects(async () => app.ready(), /names no route: PUT \/listed/);
  });

  test('only build files and preflights do without a line', () => {
    const isListed = (route: string) =>
      route in routeTable || route.replace('HEAD', 'GET') in routeTable;
    const buildFile = /^(GET|HEAD) \/(assets\/)?[\w-]+\.(js|css|svg|png|txt)$/;
    const others = registered.filter((route) => !isListed(route) && !buildFile.test(route));
    assert.deepEqual(new Set(others), new Set(['OPTIONS *']));
  });

  test('the description has all routes, those of the specification included, and says which take a token', async () => {
    const { paths } = await forum.json<{
      paths: Record<string, Record<string, { security?: object[] }>>;
    }>('GET', '/api/openapi.json');
    /** Security of each described call. */
    const described = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security = [] }]) => {
          const pattern = path.replace(/\{(\w+)\}/g, ':$1');
          return [`${method.toUpperCase()} ${pattern}`, security] as [string, object[]];
        }),
      ),
    );
    const undescribed = /^(GET \/api\/(docs|openapi)|OPTIONS )/;
    const expected = Object.keys(routeTable).filter(
      (route) => / \/(api|healthz|readyz|files)/.test(route) && !undescribed.test(route),
    );
    assert.deepEqual([...described.keys()].sort(), expected.sort());
    for (const route of [
      ...['GET /api/channels', 'POST /api/channels', 'PUT /api/channels/comment'],
      ...['POST /api/auth/sign-in', 'POST /api/auth/sign-up', 'PUT /api/user/update-img'],
    ]) {
      assert.ok(described.has(route), route);
    }
    for (const [route, security] of described) {
      const bearer = security.filter((one) => 'bearer' in one);
      assert.equal(bearer.length, routeTable[route]?.[0] === 'always everyone' ? 0 : 1, route);
    }
    assert.deepEqual(described.get('POST /api/reports'), [{}, { bearer: [] }]);
    assert.deepEqual(described.get('POST /api/auth/sign-in'), [{ basic: [] }]);
  });
});
