import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { expectProblem } from '../../../test/forum/forum.ts';
import { twoForums, type Visit } from '../../../test/forum/two-forums.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Comment } from '../../shared/comments.ts';
import type { Problem } from '../../shared/errors.ts';

const onBoth = twoForums();

/** Sends a body unchanged to the route that creates comments. */
function put({ forum, person }: Visit, body: string | Uint8Array, headers = {}): Promise<Response> {
  return forum.call('PUT', apiRoutes.comment, { token: person.token, body, headers });
}

/** Builds a comment's body with these bytes in place of its text. */
function around(id: string, bytes: number[]): Buffer {
  return Buffer.concat([
    Buffer.from(`{"id":"${id}","comment":"Hola `),
    Buffer.from(bytes),
    Buffer.from('"}'),
  ]);
}

test('rejects bytes that are not UTF-8 instead of replacing them', async () => {
  const sequences = {
    'a lone continuation': [0x80],
    'Latin-1': [0xf1],
    'a cut sequence': [0xe2, 0x82],
    'an overlong slash': [0xc0, 0xaf],
    'an overlong NUL': [0xc0, 0x80],
    'an encoded surrogate': [0xed, 0xa0, 0x80],
    'a surrogate pair, each encoded': [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    'beyond Unicode': [0xf4, 0x90, 0x80, 0x80],
    'never a byte of UTF-8': [0xff, 0xfe],
  };
  await onBoth(async (visit) => {
    const { _id } = await visit.forum.channel(visit.person);
    for (const bytes of Object.values(sequences)) {
      await expectProblem(await put(visit, around(_id, bytes)), 400, 'invalid_json');
    }
    assert.deepEqual(await visit.forum.allComments(_id), []);
  });
});

test('rejects NUL, escaped or not, and lone surrogates in every field', async () => {
  const channel = { name: 'Cine', description: 'De barrio', cover: '/default-avatar.svg' };
  const account = { name: 'Ana', email: 'ana@ejemplo.es', password: 'una cualquiera' };
  await onBoth(async ({ forum, person: { token } }) => {
    const refuse = async (url: string, body: object, field: string) => {
      const response = await forum.call('POST', url, { token, body });
      const { errors } = await expectProblem(response, 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map((one) => one.field),
        [field],
      );
    };
    for (const bad of ['a\ud800', '\udc00a', 'a\ud800\ud800b']) {
      for (const field of ['name', 'description', 'coverAlt']) {
        await refuse(apiRoutes.channels, { ...channel, [field]: bad }, field);
      }
      for (const cover of [`/files/images/${bad}`, `https://ejemplo.es/${bad}`]) {
        await refuse(apiRoutes.channels, { ...channel, cover }, 'cover');
        await refuse(apiRoutes.signUp, { ...account, img: cover }, 'img');
      }
      for (const field of ['name', 'email', 'password']) {
        await refuse(apiRoutes.signUp, { ...account, [field]: bad }, field);
      }
    }
    for (const nul of ['\0', '\\u0000']) {
      const body = `{"name":"a${nul}b","description":"b","cover":"/default-avatar.svg"}`;
      const response = await forum.call('POST', apiRoutes.channels, { token, body });
      await expectProblem(response, 400, 'invalid_json');
    }
  });
});

test('rejects prototype keys, and accepts their names as text', async () => {
  await onBoth(async (visit) => {
    const { _id: id } = await visit.forum.channel(visit.person);
    const comment = `"id":"${id}","comment":"Hola"`;
    for (const body of [
      `{${comment},"__proto__":{"polluted":true}}`,
      `{${comment},"autor":{"a":[{"__proto__":{"polluted":true}}]}}`,
      `{${comment},"\\u005f_proto__":{"polluted":true}}`,
      `{${comment},"__pro\\u0074o__":null}`,
      `{${comment},"constructor":{"prototype":{"polluted":true}}}`,
    ]) {
      await expectProblem(await put(visit, body), 400, 'invalid_json');
    }
    const harmless = '{"__proto__": {"a": 1}, "constructor": {"prototype": {}}}';
    const stored = await visit.forum.comment(visit.person, id, harmless);
    assert.equal(stored.comment, harmless);
    assert.ok(!('polluted' in {}));
  });
});

test('the last of two equal keys counts', async () => {
  await onBoth(async (visit) => {
    const { _id: id } = await visit.forum.channel(visit.person);
    const body = `{"id":"nada","comment":"una","comment":"otra","id":"${id}"}`;
    const response = await put(visit, body);
    assert.equal(((await response.json()) as Comment).comment, 'otra');
  });
});

test('rejects deep nesting, in known and in unknown fields', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  // `JSON.stringify`, which is called for requests with a key, recurses over objects with numeric keys.
  const objects = (depth: number) => `${'{"1":'.repeat(depth)}1${'}'.repeat(depth)}`;
  await onBoth(async (visit) => {
    const { _id: id } = await visit.forum.channel(visit.person);
    const comment = `"id":"${id}","comment":"Hola"`;
    for (const body of [
      `{${comment},"otro":${objects(30_000)}}`,
      `{${comment},"autor":${nested(100_000)}}`,
      `{${comment},"otro":${nested(100_000)}}`,
      nested(120_000),
      `{${comment},"otro":[${nested(100)},"__proto__"]}`,
      `{"id":"${id}","comment":${nested(100_000)}}`,
    ]) {
      for (const headers of [{ 'idempotency-key': 'una' }, {}]) {
        await expectProblem(await put(visit, body, headers), 400, 'invalid_json');
      }
    }
    await expectProblem(await put(visit, '['.repeat(200_000)), 400, 'invalid_json');
    await expectProblem(await put(visit, nested(200_000)), 413, 'too_large');
    assert.deepEqual(await visit.forum.allComments(id), []);
  });
});

test('rejects a body of 10 MB, with and without Content-Length', async () => {
  await onBoth(async ({ forum, person }) => {
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
});

test('rejects headers of 64 kB and invalid HTTP with a problem', async () => {
  await onBoth(async ({ forum }) => {
    const headers = { 'x-long': 'a'.repeat(64 * 1024) };
    const response = await forum.call('GET', apiRoutes.channels, { headers });
    const problem = (await response.json()) as Problem;
    assert.deepEqual([response.status, problem.code], [431, 'invalid_request']);

    const socket = connect(Number(new URL(forum.url).port), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\n');
    const answer = await readText(socket);
    assert.match(answer, /^HTTP\/1\.1 400 .*content-type: application\/problem\+json/s);
    assert.match(answer, /x-content-type-options: nosniff/);
    assert.match(answer, /"code":"invalid_request"/);
  });
});

test('reads JSON as UTF-8 whatever its charset, and rejects other types', async () => {
  const types = {
    accepted: [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; charset=iso-8859-1',
      'APPLICATION/JSON',
      'application/json; __proto__=a; charset=utf-8',
    ],
    refused: [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      'application/jsonp',
      'application/problem+json',
      'application/octet-stream',
      'json',
      ',',
      '*/*',
    ],
  };
  await onBoth(async (visit) => {
    const { _id: id } = await visit.forum.channel(visit.person);
    const body = JSON.stringify({ id, comment: 'ñandú' });
    for (const type of types.accepted) {
      const response = await put(visit, body, { 'content-type': type });
      assert.equal(response.status, 200, type);
      assert.equal(((await response.json()) as Comment).comment, 'ñandú', type);
    }
    for (const type of types.refused) {
      const response = await put(visit, body, { 'content-type': type });
      await expectProblem(response, 415, 'unsupported_media_type');
    }
    const utf16 = Buffer.from(body, 'utf16le');
    const type = { 'content-type': 'application/json; charset=utf-16le' };
    await expectProblem(await put(visit, utf16, type), 400, 'invalid_json');
    const encoded = { 'content-encoding': 'gzip' };
    await expectProblem(
      await put(visit, Buffer.from([0x1f, 0x8b, 8, 0]), encoded),
      400,
      'invalid_json',
    );
  });
});
