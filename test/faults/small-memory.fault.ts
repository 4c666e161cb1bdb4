import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { pageRoutes } from '../../src/shared/routes.ts';
import * as reads from '../attacks/reads.ts';
import * as requests from '../attacks/requests.ts';
import type { Attack, Target } from '../attacks/target.ts';
import * as texts from '../attacks/texts.ts';
import * as uploads from '../attacks/uploads.ts';
import { eventually } from '../eventually.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { HealthWatch } from './health-watch.ts';
import { MemoryLimit, noMemoryLimit } from './memory-limit.ts';

const limitMb = 512;

const attacks: Record<string, Attack> = {
  'request lines and hosts that are not URLs': requests.invalidAddresses,
  'entity tags with long gaps': requests.longEntityTags,
  'texts as long as a body may be': texts.longTexts,
  'links of thousands of dots': texts.dottedLinks,
  'the list of a hundred full channels': reads.wholeList,
  'three small files at once that are costly images': uploads.costlyUploads,
  'three images of 24 megapixels at once': uploads.largeUploads,
  '250 unread streams from the beginning of a long channel': reads.unreadStreams,
  '50 connections that ask for long lists and do not read them': reads.unreadLists,
  '40 connections that do not read a large image': reads.unreadImages,
  '20 uploads that are left unfinished': uploads.unfinishedUploads,
  '300 slow requests of one upload': uploads.slowUploads,
};

describe(`a server with ${limitMb} MB of memory survives`, () => {
  const limit = noMemoryLimit ? undefined : new MemoryLimit(limitMb);
  let dataDir: string;
  let server: ServerProcess | undefined;
  let target: Target;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-small-'));
  });
  // One process serves all attacks; another is started only after a failure.
  beforeEach(async () => {
    if (server) return;
    const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off' };
    const started = await ServerProcess.start(env, limit?.startServer);
    server = started;
    void started.ended.then(() => {
      server = undefined;
    });
    const client = new ForumClient(started.url);
    const databaseFile = path.join(dataDir, 'tertulia.db');
    target = { client, person: await client.person(), databaseFile };
  });
  after(async () => {
    await server?.stop();
    await limit?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  for (const [what, attack] of Object.entries(attacks)) {
    test(what, async (t) => {
      if (noMemoryLimit) t.diagnostic(`${noMemoryLimit}; only its memory is measured`);
      const attacked = server;
      assert.ok(attacked);
      const watch = new HealthWatch(attacked);
      let failure: unknown;
      const summary = await attack(target).catch((error: unknown) => {
        failure = error;
        return 'the attack failed';
      });
      const { slowestMs } = await watch.stop();
      t.diagnostic(`${summary}; /healthz within ${slowestMs} ms`);
      assert.ok(server, `the server ended; killed by the system: ${limit?.killed}`);
      const { nowMb, peakMb } = memoryOf(attacked.pid);
      t.diagnostic(`memory ${nowMb} MB, peak ${peakMb} MB`);
      assert.ifError(failure);
      assert.ok(peakMb <= limitMb, `it took ${peakMb} MB`);
      await eventually('pages are served again', async () => {
        const { status } = await target.client.call('GET', pageRoutes.home);
        return status === 200;
      });
    });
  }
});
