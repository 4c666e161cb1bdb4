import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseConfig } from '../../src/server/config.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { KeyedWriters } from '../load/keyed-writers.ts';
import { expectAllStored } from '../load/stored-comments.ts';
import { freePorts } from '../processes/free-ports.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { noSmallDisk, SmallDisk } from './small-disk.ts';

const kills = 20;
/** How soon it serves again; on a machine that is busy with more, as soon as it starts on nothing. */
const readyWithinMs = 2000;

interface Ordeal {
  env: Record<string, string>;
  comments: number;
  kills: number;
  /** Before the process is killed, and once it is. */
  before?: () => void;
  after?: () => void;
  cleanUp?: () => void;
}

/** Starts it. @returns it, and how long it was until it was ready, in milliseconds */
async function startReady(env: Record<string, string>) {
  const startMs = performance.now();
  const server = await ServerProcess.start(env);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  return { server, ms: performance.now() - startMs };
}

async function expectNothingLost(t: TestContext, ordeal: Ordeal): Promise<void> {
  const [port] = await freePorts(1);
  const env = { PORT: String(port), RATE_LIMITS: 'off', ...ordeal.env };
  const first = await startReady(env);
  let { server } = first;
  t.after(async () => {
    server.kill('SIGKILL');
    await server.ended;
    ordeal.cleanUp?.();
  });
  const forum = new ForumClient(server.url);
  const author = await forum.person();
  const { _id: channelId } = await forum.channel(author);
  const writers = new KeyedWriters(forum, author, channelId, ordeal.comments);
  t.after(() => writers.stop());
  const { acknowledged } = writers;
  let failed = false;
  writers.done.catch(() => {
    failed = true;
  });
  const readyMs: number[] = [];
  for (let kill = 1; kill <= ordeal.kills; kill++) {
    const atLeast = (ordeal.comments / (ordeal.kills + 1)) * kill;
    const enough = async () => failed || acknowledged.size >= atLeast;
    await eventually('it is written', enough, 120_000);
    if (failed) await writers.done;
    ordeal.before?.();
    server.kill('SIGKILL');
    await server.ended;
    ordeal.after?.();
    const again = await startReady(env);
    server = again.server;
    readyMs.push(again.ms);
  }
  await writers.done;
  assert.equal((await server.stop()).code, 0);
  await expectAllStored(parseConfig(env), channelId, writers);

  readyMs.sort((a, b) => a - b);
  const [median = 0, longest = 0] = [readyMs[ordeal.kills >> 1], readyMs.at(-1)];
  t.diagnostic(`${ordeal.kills} times, ${acknowledged.size} comments: 0 lost, 0 doubled`);
  t.diagnostic(
    `ready after ${Math.round(median)} ms (median), ${Math.round(longest)} ms (longest); on nothing ${Math.round(first.ms)} ms`,
  );
  assert.ok(longest < Math.max(readyWithinMs, 2 * first.ms), `${longest} ms`);
}

async function folder(t: TestContext): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-killed-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

test('kill -9 twenty times under load loses and doubles nothing (SQLite)', async (t) => {
  const env = { DATA_DIR: await folder(t) };
  await expectNothingLost(t, { env, comments: 5000, kills });
});

test('kill -9 five times under load loses and doubles nothing (PostgreSQL)', async (t) => {
  const database = await createPostgresDatabase();
  const env = { DATA_DIR: await folder(t), DATABASE_URL: database.url };
  await expectNothingLost(t, { env, comments: 1000, kills: 5 });
  await database.drop();
});

test('power cuts under load lose and double nothing', { skip: noSmallDisk }, async (t) => {
  const disk = new SmallDisk();
  await expectNothingLost(t, {
    env: { DATA_DIR: disk.folder },
    comments: 5000,
    kills,
    before: () => disk.cutPower(),
    after: () => disk.powerAgain(),
    cleanUp: () => disk.remove(),
  });
});
