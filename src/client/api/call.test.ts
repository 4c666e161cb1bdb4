import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createChannel } from '../conversation/change-channel-calls.ts';
import { updateImage } from '../session/account-calls.ts';
import { defineCall, send } from './call.ts';
import { Failure } from './failures.ts';

/** Responses that a proxy or captive portal may send in place of the server. */
const foreignAnswers = {
  'an empty object': { status: 200, body: '{}' },
  'null in JSON': { status: 200, body: 'null' },
  'a page': { status: 200, type: 'text/html', body: '<h1>Portal</h1>' },
  'an error page': { status: 503, type: 'text/html', body: '<h1>Bad gateway</h1>' },
  'the beginning of JSON': { status: 200, body: '{"id":"' },
  'a problem in its own words': {
    status: 503,
    body: '{"status":503,"detail":"upstream connect error"}',
  },
  'a problem of another form': { status: 400, body: '{"status":400,"detail":{},"errors":{}}' },
};

test('a response by a proxy in place of the server is a failure with a Spanish message', async () => {
  const server = createServer((request, response) => {
    const what = decodeURIComponent(request.url?.slice(1) ?? '') as keyof typeof foreignAnswers;
    const {
      status,
      type = 'application/json',
      body,
    }: { status: number; type?: string; body: string } = foreignAnswers[what];
    response.writeHead(status, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    for (const [what, { status }] of Object.entries(foreignAnswers)) {
      const call = defineCall('POST', `http://127.0.0.1:${port}/${encodeURIComponent(what)}`);
      await assert.rejects(
        send(call, undefined),
        (failure) => {
          assert.ok(failure instanceof Failure, what);
          const text =
            status < 400
              ? /^No hay conexión con/
              : status < 500
                ? /^No se ha aceptado la petición\./
                : /^Ahora mismo hay un problema en el servidor\./;
          assert.match(failure.text, text);
          return true;
        },
        what,
      );
    }
  } finally {
    server.close();
  }
});

test('credentials are sent to other origins by the calls that say so', async (t) => {
  const sent: (string | undefined)[] = [];
  t.mock.method(globalThis, 'fetch', async (_url: string, init?: RequestInit) => {
    sent.push(init?.credentials);
    return new Response(null, { status: 204 });
  });
  await send(defineCall('PUT', '/a', { credentials: 'include' }), undefined);
  await send(defineCall('GET', '/b'), undefined);
  assert.deepEqual(sent, ['include', undefined]);
  assert.deepEqual([createChannel.credentials, updateImage.credentials], ['include', 'include']);
});

test('a request without a response fails after 20 s', async (t) => {
  const { promise: isReceived, resolve: reportReceived } = Promise.withResolvers<void>();
  const server = createServer(() => reportReceived()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { port } = server.address() as AddressInfo;
    let failed = false;
    const sent = send(defineCall('POST', `http://127.0.0.1:${port}/`), undefined).catch(
      (failure: unknown) => {
        failed = true;
        throw failure;
      },
    );
    await isReceived;
    t.mock.timers.tick(19_999);
    await setImmediate();
    assert.equal(failed, false);
    t.mock.timers.tick(1);
    await assert.rejects(sent, /El servidor tarda demasiado en responder/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
