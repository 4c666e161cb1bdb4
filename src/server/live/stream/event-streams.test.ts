import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { formatEvent, isReady, sendEvent } from './event-streams.ts';

test('formats an event as its id, its name and one line of data', () => {
  const event = formatEvent('comment', { comment: 'dos\nlíneas' }, 'a-1');
  assert.equal(String(event), 'id: a-1\nevent: comment\ndata: {"comment":"dos\\nlíneas"}\n\n');
});

test('sends nothing more to a reader with a full socket until it drains', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port });
  const responded = once(request, 'response');
  const [, stream] = (await once(server, 'request')) as [unknown, ServerResponse];
  const event = formatEvent('comment', { comment: 'x'.repeat(30_000) });
  // The operating system buffers some megabytes.
  for (let sent = 0; isReady(stream) && sent < 1000; sent++) {
    sendEvent(stream, event);
    await yieldToEventLoop();
  }
  assert.ok(!isReady(stream));
  assert.ok(stream.writableLength < 100_000, `${stream.writableLength} bytes are buffered`);
  const [response] = (await responded) as [IncomingMessage];
  response.resume();
  await once(stream, 'drain');
  assert.ok(isReady(stream));
});
