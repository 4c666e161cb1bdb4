// `npm run bench -- moving`: time and memory of `npm run move` to PostgreSQL and a bucket, and back.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Forum } from '../test/forum.ts';
import { globalSetup, globalTeardown } from '../test/global-setup.ts';
import { fillCommunity } from '../test/large-community.ts';
import { asTarget, runMove } from '../test/mover.ts';
import { OwnPostgres } from '../test/own-postgres.ts';

const size = { channels: 2000, comments: 50_000, pictures: 200, pictureBytes: 400_000 };

await globalSetup();
// Only now the environment says where Swift is.
const { createBucket } = await import('../test/bucket.ts');
const postgres = await OwnPostgres.start();
const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
const forum = await Forum.start('sqlite');
try {
  await fillCommunity(forum.deps, size);
  console.log(JSON.stringify(size));
  const bucket = await createBucket();
  const here = { DATA_DIR: forum.deps.config.dataDir };
  const there = { DATABASE_URL: postgres.url, ...bucket };
  await measure('there', here, asTarget(there));
  await measure('there again', here, asTarget(there));
  await measure('back', there, { TO_DATA_DIR: folder });
  await measure('back again', there, { TO_DATA_DIR: folder });
} finally {
  await forum.stop();
  await rm(folder, { recursive: true, force: true });
  await postgres.remove();
  await globalTeardown();
}

async function measure(
  title: string,
  source: Record<string, string>,
  target: Record<string, string>,
) {
  let peak = '';
  const beganMs = performance.now();
  const { code, said } = await runMove({ ...source, ...target }, [], (_, { pid }) => {
    // The kernel's own high-water mark; the last line is the end.
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    peak = /VmHWM:\s+(\d+)/.exec(status)?.[1] ?? peak;
  });
  if (code !== 0) throw new Error(said);
  const seconds = (performance.now() - beganMs) / 1000;
  console.log(`${title}: ${seconds.toFixed(1)} s, at most ${Math.round(Number(peak) / 1024)} MB`);
}
