import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runTertulia } from '../../test/processes/program.ts';
import { ServerProcess } from '../../test/processes/server-process.ts';
import { openMetrics } from './operations/metrics.ts';

test('the version of package.json is in the log of the start, in /healthz, in the metrics and printed by --version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-version-'));
  await using server = await ServerProcess.start({ DATA_DIR: folder.path });
  assert.deepEqual(
    server.logged(/^tertulia is at /).map((line) => (line as { version?: string }).version),
    [version],
  );
  const health = await fetch(`${server.url}/healthz`);
  assert.deepEqual(await health.json(), { status: 'ok', version });

  const metrics = openMetrics({ metrics: { host: '127.0.0.1', port: 0 } });
  const info = new RegExp(`^tertulia_info\\{version="${version}"\\} 1$`, 'm');
  assert.match((await metrics?.render()) ?? '', info);

  const printed = await outcomeOf(runTertulia({}, '--version'));
  assert.deepEqual(printed, {
    code: 0,
    said: `tertulia ${version}, Node ${process.versions.node}\n`,
  });
});
