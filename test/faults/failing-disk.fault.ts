import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { eventually } from '../eventually.ts';
import { expectProblem, type Person } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { noisyImage, TusUpload } from '../forum/tus-upload.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { noSmallDisk, SmallDisk } from './small-disk.ts';

describe('a server on a failing disk', { skip: noSmallDisk }, () => {
  let disk: SmallDisk;
  let server: ServerProcess;
  let forum: ForumClient;
  let author: Person;
  let channel: Channel;
  let image: Buffer;
  let imagePath: string;
  let acknowledged: string[];

  const start = async () => {
    server = await ServerProcess.start({ DATA_DIR: disk.folder, RATE_LIMITS: 'off' });
    forum = new ForumClient(server.url);
  };
  beforeEach(async () => {
    disk = new SmallDisk();
    await start();
    author = await forum.person();
    channel = await forum.channel(author);
    acknowledged = [];
    await comment('antes');
    image = await noisyImage(400);
    const uploaded = await forum.upload(author, image);
    assert.equal(uploaded.status, 200);
    imagePath = ((await uploaded.json()) as StoredFile).downloadURL;
  });
  afterEach(async () => {
    server.kill('SIGKILL');
    await server.ended;
    disk.remove();
  });

  async function comment(text: string): Promise<Response> {
    const response = await forum.call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channel._id, comment: text },
    });
    if (response.ok) acknowledged.push(text);
    return response;
  }

  let asked = 0;
  /** Reads a cached page, uncached rows and an image from disk. @returns the time it took, in ms */
  async function assertReadable(): Promise<number> {
    const startMs = performance.now();
    asked += 1;
    const urls = [
      pageRoutes.home,
      `${apiRoutes.channelComments(channel._id)}?limit=${(asked % 50) + 1}`,
      apiRoutes.me,
      imagePath,
      '/healthz',
    ];
    for (const url of urls) {
      const response = await forum.call('GET', url, { token: author.token });
      assert.equal(response.status, 200, url);
      await response.arrayBuffer();
    }
    return performance.now() - startMs;
  }

  const untilReadyIs = (ready: boolean) =>
    eventually(
      `/readyz?all says ${ready ? 'yes' : 'no'}`,
      async () => (await forum.call('GET', '/readyz?all')).ok === ready,
    );

  async function assertAcknowledgedStored(): Promise<void> {
    const stored = (await forum.allComments(channel._id)).map((one) => one.comment);
    assert.deepEqual(stored, acknowledged);
  }

  test('refuses writes with 507 while the disk is full, serves reads, and recovers by itself', async (t: TestContext) => {
    const begun = await TusUpload.begin(server.url, author, image.length);
    await begun.send(server.url, 0, image.subarray(0, 5000));
    const free = disk.fill();
    // The server accepts comments as long as the write-ahead log has room.
    let response = await comment('1');
    for (let i = 2; response.ok && i < 5000; i++) response = await comment(`${i}`);
    const fullAfter = acknowledged.length;
    assert.equal(response.headers.get('retry-after'), '60');
    await expectProblem(response, 507, 'storage_full');
    await untilReadyIs(false);

    let longestMs = 0;
    let slowestReadMs = 0;
    for (let round = 0; round < 20; round++) {
      const startMs = performance.now();
      await expectProblem(await comment('x'.repeat(9000)), 507, 'storage_full');
      longestMs = Math.max(longestMs, performance.now() - startMs);
      slowestReadMs = Math.max(slowestReadMs, await assertReadable());
    }
    await expectProblem(await forum.upload(author, image), 507, 'storage_full');
    const rest = await begun.send(server.url, 5000, image.subarray(5000));
    await expectProblem(rest, 507, 'storage_full');
    await assertReadable();

    free();
    const freedMs = performance.now();
    assert.equal((await comment('después')).status, 200);
    const backMs = performance.now() - freedMs;
    await untilReadyIs(true);
    const offset = await begun.offset(server.url);
    assert.ok(offset >= 5000);
    assert.equal((await begun.send(server.url, offset, image.subarray(offset))).status, 200);
    assert.ok((await forum.upload(author, await noisyImage(410))).ok);
    await assertAcknowledgedStored();
    assert.equal((await server.stop()).code, 0);
    await start();
    await assertAcknowledgedStored();
    t.diagnostic(`${fullAfter} comments until the disk was full; no acknowledged comment lost`);
    t.diagnostic(
      `refused within ${Math.round(longestMs)} ms, five reads within ${Math.round(slowestReadMs)} ms`,
    );
    t.diagnostic(`accepted writes ${Math.round(backMs)} ms after space was freed`);
  });

  test('exits with a message when the disk is full or read-only at its start, and starts after the repair', async (t: TestContext) => {
    for (const spoil of [() => disk.fill(), () => disk.remountReadOnly()]) {
      assert.equal((await server.stop()).code, 0);
      const repair = spoil();
      const { code, said } = await new ServerProcess({ DATA_DIR: disk.folder }).ended;
      repair();
      assert.equal(code, 1);
      assert.match(said, /^The data cannot be worked on: .*\n$/);
      t.diagnostic(`message: ${said.slice(0, 70)}…`);
      await start();
      await assertAcknowledgedStored();
    }
  });

  test('refuses writes with 503 when the disk fails, serves reads, and loses nothing after the repair', async (t: TestContext) => {
    disk.abort();
    const startMs = performance.now();
    await expectProblem(await comment('no llega'), 503, 'unavailable');
    const refusedMs = performance.now() - startMs;
    await untilReadyIs(false);
    await expectProblem(await forum.upload(author, image), 503, 'unavailable');
    const readMs = await assertReadable();
    // The server behaves the same after a restart, since the write-ahead log cannot be deleted.
    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      server.kill(end);
      await server.ended;
      await start();
      await assertReadable();
      await expectProblem(await comment('tampoco'), 503, 'unavailable');
    }
    server.kill('SIGKILL');
    await server.ended;
    disk.remount();
    await start();
    await assertAcknowledgedStored();
    assert.equal((await comment('después')).status, 200);
    t.diagnostic(
      `refused within ${Math.round(refusedMs)} ms, five reads within ${Math.round(readMs)} ms`,
    );
  });
});
