import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pageRoutes } from '../../src/shared/routes.ts';
import * as bodies from '../attacks/bodies.ts';
import * as reads from '../attacks/reads.ts';
import * as requests from '../attacks/requests.ts';
import type { Attack } from '../attacks/target.ts';
import * as texts from '../attacks/texts.ts';
import * as uploads from '../attacks/uploads.ts';
import { eventually } from '../eventually.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { HealthWatch } from './health-watch.ts';

/** A health check waits for at most as long as this many long lists take one after another on a quiet server. */
const most = { mb: 350, lists: 20 };

const attacks: Record<string, Attack> = {
  'request lines and hosts that are not URLs': requests.invalidAddresses,
  'headers of 15 kB': requests.longHeaders,
  '500 unknown tokens at once': requests.unknownTokens,
  '300 addresses with NUL at once': requests.nulAddresses,
  'entity tags with long gaps': requests.longEntityTags,
  'texts as long as a body may be': texts.longTexts,
  'links of thousands of dots': texts.dottedLinks,
  '10 MB of JSON': bodies.longJson,
  '100 bodies of 20,000 fields at once': bodies.manyFields,
  '200 slow bodies': bodies.slowBodies,
  '200 sign-ins a second': bodies.signIns,
  'the list of a hundred full channels': reads.wholeList,
  '60 long lists at once': reads.listsAtOnce,
  '100 searches at once': reads.searchesAtOnce,
  '600 unread streams from the beginning of a long channel': reads.unreadStreams,
  '50 connections that ask for long lists and do not read them': reads.unreadLists,
  '40 connections that do not read a large image': reads.unreadImages,
  'three small files at once that are costly images': uploads.costlyUploads,
  'three images of 48 megapixels at once': uploads.largeUploads,
  '40 uploads at once': uploads.uploadsAtOnce,
  '20 uploads that are left unfinished': uploads.unfinishedUploads,
  '300 slow requests of one upload': uploads.slowUploads,
};

test('a hostile client of one address delays the health check of another by at most twenty times what a long list takes alone, and takes 350 MB at most', async (t) => {
  await using folder = await temporaryFolder('hostile');
  const env = { DATA_DIR: folder.path, RATE_LIMITS: 'off', ...serveSettings };
  await using server = await ServerProcess.start(env);
  const client = new ForumClient(server.url);
  const databaseFile = path.join(folder.path, 'tertulia.db');
  const target = { client, person: await client.person(), databaseFile };
  t.diagnostic(`memory ${memoryOf(server.pid).nowMb} MB when idle`);
  await reads.fillLists(target);
  const listMs = await reads.timeOfList(target);
  t.diagnostic(`a long list alone takes ${Math.round(listMs)} ms`);
  for (const [what, attack] of Object.entries(attacks)) {
    await t.test(what, async (t) => {
      const watch = new HealthWatch(server);
      const ended = server.ended.then(({ said }) => assert.fail(`the server ended: ${said}`));
      const attacked = Promise.race([attack(target), ended]);
      await attacked.catch(() => {});
      const { slowestMs, responses, failed } = await watch.stop();
      t.diagnostic(`/healthz within ${slowestMs} ms, ${(slowestMs / listMs).toFixed(1)} lists`);
      // The end of the server explains all other failures.
      t.diagnostic(await Promise.race([ended, attacked]));
      const { nowMb, peakMb } = memoryOf(server.pid);
      t.diagnostic(`memory ${nowMb} MB, peak ${peakMb} MB`);
      assert.equal(failed, 0);
      assert.ok(responses > 0);
      assert.ok(slowestMs <= most.lists * listMs, `${slowestMs} ms`);
      assert.ok(peakMb <= most.mb, `${peakMb} MB`);
      await eventually('pages are served again', async () => {
        const page = await client.call('GET', pageRoutes.home).catch(() => undefined);
        return page?.status === 200;
      });
    });
  }
});
