import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { KeyedWriters } from '../load/keyed-writers.ts';
import { expectAllStored } from '../load/stored-comments.ts';
import { freePorts } from '../processes/free-ports.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { noSmallDisk, SmallDisk } from './small-disk.ts';

const kills = 10;
/** Maximum time of a start after a kill. On a busy machine it is twice the time of a start without data. */
const readyWithinMs = 2000;

interface KillPlan {
  env: Record<string, string>;
  comments: number;
  kills: number;
  beforeKill?: () => void;
  afterKill?: () => void;
  cleanUp?: () => void;
}

async function startReady(env: Record<string, string>) {
  const startMs = performance.now();
  const server = await ServerProcess.start(env);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  return { server, ms: performance.now() - startMs };
}

async function assertNothingLost(t: TestContext, plan: KillPlan): Promise<void> {
  const [port] = await freePorts(1);
  const env = { PORT: String(port), RATE_LIMITS: 'off', ...plan.env };
  const first = await startReady(env);
  let { server } = first;
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => plan.cleanUp?.());
  cleanUp.defer(() => server[Symbol.asyncDispose]());
  const forum = new ForumClient(server.url);
  const author = await forum.person();
  const { _id: channelId } = await forum.channel(author);
  const writers = new KeyedWriters(forum, author, channelId, plan.comments);
  cleanUp.defer(() => writers.stop());
  const { acknowledged } = writers;
  let failed = false;
  writers.done.catch(() => {
    failed = true;
  });
  const readyMs: number[] = [];
  for (let kill = 1; kill <= plan.kills; kill++) {
    const atLeast = (plan.comments / (plan.kills + 1)) * kill;
    const enough = async () => failed || acknowledged.size >= atLeast;
    await eventually('enough comments are written', enough, 120_000);
    if (failed) await writers.done;
    plan.beforeKill?.();
    server.kill('SIGKILL');
    await server.ended;
    plan.afterKill?.();
    const again = await startReady(env);
    server = again.server;
    readyMs.push(again.ms);
  }
  await writers.done;
  assert.equal((await server.stop()).code, 0);
  await expectAllStored(parseConfig(env), channelId, writers);

  readyMs.sort((a, b) => a - b);
  const [median = 0, longest = 0] = [readyMs[plan.kills >> 1], readyMs.at(-1)];
  t.diagnostic(`${plan.kills} times, ${acknowledged.size} comments: none lost or duplicated`);
  t.diagnostic(
    `ready after ${Math.round(median)} ms (median), ${Math.round(longest)} ms (longest); without data ${Math.round(first.ms)} ms`,
  );
  // The median, because other work on the machine may delay a single start.
  assert.ok(median < Math.max(readyWithinMs, 2 * first.ms), `${median} ms`);
}

const makeFolder = () => temporaryFolder('killed');

test('no comment is lost or duplicated when the server is killed ten times under load (SQLite)', async (t) => {
  await using folder = await makeFolder();
  const env = { DATA_DIR: folder.path };
  await assertNothingLost(t, { env, comments: 2500, kills });
});

test('no comment is lost or duplicated when the server is killed five times under load (PostgreSQL)', async (t) => {
  const database = await createPostgresDatabase();
  await using folder = await makeFolder();
  const env = { DATA_DIR: folder.path, DATABASE_URL: database.url };
  await assertNothingLost(t, { env, comments: 1000, kills: 5 });
  await database.drop();
});

test('no comment is lost or duplicated by power cuts under load', {
  skip: noSmallDisk,
}, async (t) => {
  const disk = new SmallDisk();
  await assertNothingLost(t, {
    env: { DATA_DIR: disk.folder },
    comments: 2500,
    kills,
    beforeKill: () => disk.cutPower(),
    afterKill: () => disk.remount(),
    cleanUp: () => disk.remove(),
  });
});
