import assert from 'node:assert/strict';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, patienceMs } from '../../../test/eventually.ts';
import { createMigratedDatabase } from '../../../test/forum/forum.ts';
import { ForumClient } from '../../../test/forum/forum-client.ts';
import { LiveFollower } from '../../../test/forum/live-follower.ts';
import { Load } from '../../../test/load/load.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { expectAllDelivered, waitForReconnects } from '../../../test/processes/three-processes.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { openDatabase } from '../database/engine.ts';

describe('three workers on one port', () => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let server: ServerProcess;
  let site: ForumClient;
  const workers = () => server.logged(/^listening$/).map(({ pid }) => pid);
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-workers-'));
    database = await createMigratedDatabase();
    server = await ServerProcess.start({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      WORKERS: '3',
      RATE_LIMITS: 'off',
      METRICS: 'on',
    });
    site = new ForumClient(server.url);
    await eventually('all three listen', async () => workers().length === 3);
  });
  after(async () => {
    server?.kill('SIGKILL');
    await server?.ended;
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('logs the address and the data folder once', () => {
    assert.equal(server.logged(/^tertulia is at /).length, 1);
    assert.equal(server.logged(/^data is stored in /).length, 1);
  });

  test('the metrics are the sum of all workers, with those of the machine once', async () => {
    const count = 40;
    for (let i = 0; i < count; i++) {
      // A new connection each time, so that all workers get some.
      await site.call('GET', apiRoutes.channel('nada'), { headers: { connection: 'close' } });
    }
    const text = await (await fetch(server.metricsUrl)).text();
    assert.match(text, /^tertulia_info\{version="[\d.]+"\} 1$/m);
    assert.match(
      text,
      new RegExp(`_count\\{method="GET",route="/api/channels/:id",status="404"\\} ${count}\\n`),
    );
    const [, connections] = /connections\{state="total"\} (\d+)/.exec(text) ?? [];
    assert.ok(Number(connections) >= 3);
    const [, diskBytes] = /^tertulia_disk_size_bytes (\d+)$/m.exec(text) ?? [];
    const { bsize, blocks } = await statfs(dataDir);
    assert.equal(Number(diskBytes), bsize * blocks);
  });

  test('workers accept connections themselves, because the primary may pass one to a killed worker', async () => {
    server.kill('SIGSTOP');
    try {
      const response = await fetch(`${server.url}/healthz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(patienceMs),
      });
      assert.equal(response.status, 200);
    } finally {
      server.kill('SIGCONT');
    }
  });

  test('replaces a killed worker, whose live readers reconnect and miss nothing', async (t) => {
    const author = await site.person();
    const channel = await site.channel(author);
    const readers = await Promise.all(
      Array.from({ length: 9 }, () => LiveFollower.start(site, channel._id)),
    );
    const load = new Load();
    t.after(async () => {
      for (const reader of readers) reader.stop();
      await load.stop();
    });
    for (const name of ['a', 'b', 'c']) load.comments(site, author, channel._id, name);
    await eventually('comments are written', async () => load.acknowledged.length > 50);

    const [pid = 0] = workers();
    const before = workers().length;
    const killedMs = Date.now();
    process.kill(pid, 'SIGKILL');
    await eventually('another listens', async () => workers().length > before);
    t.diagnostic(`another listened after ${Date.now() - killedMs} ms`);
    // The worker may have had none of them.
    await waitForReconnects(readers, 0);
    await load.stop();
    t.diagnostic(`${load.acknowledged.length} acknowledged, ${load.failures.length} were not`);
    await expectAllDelivered(readers, await site.allComments(channel._id), load.acknowledged);
  });

  test('finishes requests in progress when asked to stop, and exits with 0', async (t) => {
    const author = await site.person();
    const channel = await site.channel(author);
    const reader = await LiveFollower.start(site, channel._id);
    const load = new Load();
    t.after(async () => {
      reader.stop();
      await load.stop();
    });
    for (const name of ['a', 'b', 'c']) load.comments(site, author, channel._id, name);
    await eventually('comments are written', async () => load.acknowledged.length > 20);
    const { code, said, ms } = await server.stop();
    reader.stop();
    await load.stop();
    t.diagnostic(`it ended after ${ms} ms`);
    assert.deepEqual([code, said], [0, '']);
    // The last connections may be refused; every accepted request got a response.
    const db = openDatabase({ databaseUrl: database.url, dataDir });
    const kept = await db
      .selectFrom('comments')
      .select('text')
      .where('channel_id', '=', channel._id)
      .execute();
    await db.destroy();
    assert.deepEqual(kept.map(({ text }) => text).sort(), load.acknowledged.sort());
  });
});
