import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../test/eventually.ts';
import { packedPackages } from './packed-packages.ts';

const preload = path.resolve(import.meta.dirname, '../../test/processes/report-loads.ts');
/** What only some settings or requests need. */
const rarelyNeeded = [
  '@aws-sdk/client-s3',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@tus/server',
  'pg',
  'pino-pretty',
  'prom-client',
  'sharp',
];

describe('the start that npm makes', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-start-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  test('it loads what few need with their first request, and the largest packages whole', async () => {
    const preloaded = ['--import', pathToFileURL(preload).href];
    const server = spawn(
      process.execPath,
      [...preloaded, path.join(import.meta.dirname, 'start.js')],
      {
        cwd: tmpdir(),
        env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      },
    );
    const loaded = new Set<string>();
    server.on('message', (url: string) => {
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
      if (name) loaded.add(name);
    });
    const among = (names: string[]) => names.filter((name) => loaded.has(name));
    try {
      assert.ok(server.stdout);
      let address: string | undefined;
      for await (const line of createInterface(server.stdout)) {
        address = /tertulia is at (http:[^"]+)/.exec(line)?.[1];
        if (address) break;
      }
      assert.ok(address);
      const status = async (url: string) => (await fetch(new URL(url, address))).status;

      assert.equal(await status('/'), 200);
      assert.ok(loaded.has('lru-cache'), 'loads are told');
      assert.deepEqual(among(rarelyNeeded), []);
      assert.deepEqual(among(Object.keys(packedPackages)), []);

      assert.equal(await status('/api/openapi.json'), 200);
      await eventually('the description is told', async () => loaded.has('@fastify/swagger-ui'));
      assert.deepEqual(among(rarelyNeeded), ['@fastify/swagger', '@fastify/swagger-ui']);
    } finally {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    }
  });
});
