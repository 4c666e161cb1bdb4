import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import { limits } from '../../src/shared/limits.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { ServerProcess } from '../processes/server-process.ts';

const readers = 250;
const watchedMs = 10_000;
const limit = { grownMb: 100, healthMs: 1000 };

/** Opens a stream and does not read it. */
function openUnread(url: string, pathname: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`);
  return socket;
}

async function healthMs(url: string): Promise<number> {
  const startMs = performance.now();
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  return performance.now() - startMs;
}

test('250 unread streams of a channel of long comments take less than 100 MB and delay no response by a second', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-unread-'));
  const server = await ServerProcess.start({ DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off' });
  t.after(async () => {
    server.kill('SIGKILL');
    await server.ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  const { url } = server;
  const { pid } = server;
  const forum = new ForumClient(url);
  const author = await forum.person();
  const { _id: id } = await forum.channel(author);
  for (let i = 0; i < 100; i++) {
    await forum.comment(author, id, '😀'.repeat(limits.commentChars));
  }
  for (const [title, from] of [
    ['all of it', 0],
    ['its last 200 kB', 95],
  ] as const) {
    const idleMb = memoryOf(pid).nowMb;
    const healthyMs = await healthMs(url);
    const live = `${apiRoutes.channelLive(id)}?after=${commentId(id, from)}`;
    const sockets: Socket[] = [];
    // Open one after the other, so that they do not share a query.
    const opening = setInterval(() => {
      if (sockets.push(openUnread(url, live)) === readers) clearInterval(opening);
    }, 4);
    let mostMb = 0;
    let longestMs = 0;
    for (const endMs = performance.now() + watchedMs; performance.now() < endMs; ) {
      longestMs = Math.max(longestMs, await healthMs(url));
      mostMb = Math.max(mostMb, memoryOf(pid).nowMb);
      await delay(20);
    }
    for (const socket of sockets) socket.destroy();
    t.diagnostic(
      `${title}: resident ${Math.round(idleMb)} MB before, at most ${Math.round(mostMb)} MB; /healthz ${Math.round(healthyMs)} ms before, at most ${Math.round(longestMs)} ms`,
    );
    assert.ok(mostMb - idleMb < limit.grownMb, `${mostMb - idleMb} MB more`);
    assert.ok(longestMs < limit.healthMs, `${longestMs} ms`);
  }
});
