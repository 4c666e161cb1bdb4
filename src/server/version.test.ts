import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runTertulia } from '../../test/processes/program.ts';
import { ServerProcess } from '../../test/processes/server-process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openMetrics } from './metrics/metrics.ts';

test('the version of package.json is in the log at the start, in /healthz, in the metrics and printed by --version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  await using folder = await temporaryFolder('version');
  await using server = await ServerProcess.start({ DATA_DIR: folder.path });
  assert.deepEqual(
    server.logged(/^tertulia is at /).map((line) => (line as { version?: string }).version),
    [version],
  );
  const health = await fetch(`${server.url}/healthz`);
  assert.deepEqual(await health.json(), { status: 'ok', version });

  const metrics = openMetrics({ metrics: { host: '127.0.0.1', port: 0 }, dataDir: '' });
  const info = new RegExp(`^tertulia_info\\{version="${version}"\\} 1$`, 'm');
  assert.match((await metrics?.render()) ?? '', info);

  const printed = await outcomeOf(runTertulia({}, '--version'));
  assert.equal(printed.code, 0);
  const expected = `tertulia ${version}, Node ${process.versions.node}`;
  assert.equal(printed.said.trim().replace(/, commit [\da-f]{40}$/, ''), expected);
});

test('the commit is printed in a clone, in a release, and nowhere else', async () => {
  await using folder = await temporaryFolder('commit');
  const copy = (name: string) => cp(name, path.join(folder.path, name), { recursive: true });
  await copy('src/server');
  await copy('src/shared');
  await copy('package.json');
  await symlink(path.resolve('node_modules'), path.join(folder.path, 'node_modules'));
  const printed = () =>
    execFileSync(process.execPath, ['src/server/command/main.ts', '--version'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
  assert.doesNotMatch(printed(), /commit/);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@foro.example', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'First');
  assert.ok(printed().endsWith(`, commit ${git('rev-parse', 'HEAD')}\n`));
  await writeFile(path.join(folder.path, 'commit'), 'abc\n');
  assert.match(printed(), /, commit abc\n$/);
});
