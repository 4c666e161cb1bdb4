import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Comment } from '../../shared/comments.ts';
import type { Problem } from '../../shared/errors.ts';

describe('JSON bodies', () => {
  let forum: Forum;
  let person: Person;
  let id: string;
  before(async () => {
    forum = await Forum.start('sqlite');
    person = await forum.person();
    id = (await forum.channel(person))._id;
  });
  after(() => forum?.stop());

  /** Sends a body unchanged to the route that creates comments. */
  const put = (body: string | Uint8Array, headers = {}) =>
    forum.call('PUT', apiRoutes.comment, { token: person.token, body, headers });
  const refuse = async (body: string | Uint8Array, headers = {}) => {
    await expectProblem(await put(body, headers), 400, 'invalid_json');
  };
  const fields = () => `"id":"${id}","comment":"Hola"`;

  test('refuses bytes that are not UTF-8, and NUL, instead of replacing them', async () => {
    for (const bytes of [
      ...['80', 'f1', 'e282', 'fffe'],
      // Overlong forms, encoded surrogates, and what is beyond Unicode.
      ...['c0af', 'c080', 'eda080', 'eda0bdedb880', 'f4908080'],
      ...['00', Buffer.from('\\u0000').toString('hex')],
    ]) {
      const start = Buffer.from(`{"id":"${id}","comment":"Hola `);
      await refuse(Buffer.concat([start, Buffer.from(bytes, 'hex'), Buffer.from('"}')]));
    }
    assert.deepEqual(await forum.allComments(id), []);
  });

  test('refuses prototype keys, and accepts their names as text', async () => {
    for (const more of [
      '"__proto__":{"polluted":true}',
      '"autor":{"a":[{"__proto__":{"polluted":true}}]}',
      '"\\u005f_proto__":{"polluted":true}',
      '"__pro\\u0074o__":null',
      '"constructor":{"prototype":{"polluted":true}}',
    ]) {
      await refuse(`{${fields()},${more}}`);
    }
    const harmless = '{"__proto__": {"a": 1}, "constructor": {"prototype": {}}}';
    assert.equal((await forum.comment(person, id, harmless)).comment, harmless);
    assert.ok(!('polluted' in {}));
  });

  test('refuses deep nesting, in known and in unknown fields', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    // `JSON.stringify`, which is called for requests with a key, recurses over objects with numeric keys.
    const objects = (depth: number) => `${'{"1":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const body of [
      `{${fields()},"otro":${nested(21)}}`,
      `{${fields()},"otro":${objects(30_000)}}`,
      `{${fields()},"autor":${nested(100_000)}}`,
      `{${fields()},"otro":[${nested(100)},"__proto__"]}`,
      `{"id":"${id}","comment":${nested(100_000)}}`,
      nested(120_000),
      '['.repeat(200_000),
    ]) {
      for (const headers of [{ 'idempotency-key': 'una' }, {}]) await refuse(body, headers);
    }
    assert.equal((await put(`{${fields()},"otro":${nested(20)}}`)).status, 200);
  });

  test('refuses more than 500 values, and accepts as many as the largest body of the API has', async () => {
    const many = (count: number) => `{${fields()},"otro":{"a":[${'1,'.repeat(count - 5)}1]}}`;
    const { detail } = await expectProblem(await put(many(501)), 400, 'invalid_json');
    assert.match(detail, /más de 500 valores/);
    await refuse(JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [i, i]))));
    assert.equal((await put(many(500))).status, 200);
    const reads = Array.from({ length: 100 }, () => ({ channelId: id, number: 1 }));
    const body = { token: person.token, body: reads };
    assert.equal((await forum.call('PUT', apiRoutes.reads, body)).status, 204);
  });

  test('counts nesting and values before it parses, and not what is in strings', async () => {
    const { detail } = await expectProblem(
      await put(`{"a":[${'1,'.repeat(501)}`),
      400,
      'invalid_json',
    );
    assert.match(detail, /más de 500 valores/);
    const comment = '"\\[{]},\\"'.repeat(600);
    assert.equal((await forum.comment(person, id, comment)).comment, comment);
  });

  test('refuses a body beyond 256 kB, with and without Content-Length', async () => {
    await expectProblem(await put('['.repeat(256 * 1024 + 1)), 413, 'too_large');
    const send = (headers: Record<string, string>) => {
      const request = httpRequest(new URL(apiRoutes.comment, forum.url), {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${person.token}`,
          'content-type': 'application/json',
          ...headers,
        },
      });
      // The server may close the connection before the whole body is sent.
      request.on('error', () => {});
      request.end(Buffer.alloc(10_000_000, 'a'));
      return new Promise<Problem>((resolve) => {
        request.on('response', (response) =>
          readText(response).then((json) => resolve(JSON.parse(json))),
        );
      });
    };
    for (const headers of [{ 'content-length': '10000000' }, { 'transfer-encoding': 'chunked' }]) {
      const { status, code } = await send(headers);
      assert.deepEqual([status, code], [413, 'too_large']);
    }
  });

  test('reads UTF-8 whatever the charset, takes the last of two equal keys, and refuses other types', async () => {
    const body = `{"id":"nada","comment":"una","comment":"ñandú","id":"${id}"}`;
    for (const type of [
      ...['application/json', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'],
      'application/json; charset=iso-8859-1',
      'application/json; __proto__=a; charset=utf-8',
    ]) {
      const response = await put(body, { 'content-type': type });
      assert.equal(((await response.json()) as Comment).comment, 'ñandú', type);
    }
    for (const type of [
      ...['text/plain', 'text/json', 'application/jsonp', 'application/problem+json'],
      ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'],
      ...['application/octet-stream', 'json', ',', '*/*'],
    ]) {
      const response = await put(body, { 'content-type': type });
      await expectProblem(response, 415, 'unsupported_media_type');
    }
    const utf16 = { 'content-type': 'application/json; charset=utf-16le' };
    await refuse(Buffer.from(body, 'utf16le'), utf16);
    await refuse(Buffer.from([0x1f, 0x8b, 8, 0]), { 'content-encoding': 'gzip' });
  });
});
