import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatEvent, sendEvent } from './event-streams.ts';

test('an event is its id, its name and one line of data', () => {
  const event = formatEvent('comment', { comment: 'dos\nlíneas' }, 'a-1');
  assert.equal(String(event), 'id: a-1\nevent: comment\ndata: {"comment":"dos\\nlíneas"}\n\n');
});

test('whoever takes nothing in is let go, rather than remembered for without end', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  const asking = get({ port: (server.address() as AddressInfo).port }, (answer) => answer.pause());
  asking.on('error', () => {});
  const [, stream] = (await once(server, 'request')) as [unknown, ServerResponse];
  const event = formatEvent('comment', { comment: 'x'.repeat(100_000) });
  let most = 0;
  // The system itself takes in some megabytes.
  for (let sent = 0; !stream.destroyed && sent < 300; sent++) {
    sendEvent(stream, event);
    most = Math.max(most, stream.writableLength);
    await nextTurn();
  }
  assert.ok(stream.destroyed);
  assert.ok(most < 4_700_000, `${most} bytes were kept`);
});
