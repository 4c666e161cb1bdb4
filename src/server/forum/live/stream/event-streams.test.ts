import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { formatEvent, maxUnsentBytes, sendEvent } from './event-streams.ts';

test('disconnects a client that does not read once its unsent bytes exceed the limit', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port });
  // Without a listener, the response would be read and discarded.
  request.on('error', () => {}).on('response', () => {});
  const [, stream] = (await once(server, 'request')) as [unknown, ServerResponse];
  const event = formatEvent('comment', { comment: 'x'.repeat(30_000) });
  // The operating system buffers a few megabytes.
  for (let sent = 0; !stream.destroyed && sent < 1000; sent++) {
    sendEvent(stream, event);
    assert.ok(stream.writableLength <= maxUnsentBytes + event.length);
    await yieldToEventLoop();
  }
  assert.ok(stream.destroyed);
  request.destroy();
});
