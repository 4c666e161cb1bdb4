import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runTertulia } from '../../../test/processes/program.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openMetrics } from '../operation/metrics/metrics.ts';
import { dayMs } from './times.ts';
import { buildDate, buildName, isOldBuild } from './version.ts';

test('the name of the build is in the log, the API description, the metrics and --version, and in /healthz, but not for visitors behind a proxy', async () => {
  const version = buildName();
  await using folder = await temporaryFolder('version');
  await using server = await ServerProcess.start({ DATA_DIR: folder.path });
  const [line] = server.logged(/^tertulia is at /);
  assert.equal((line as unknown as { version?: string }).version, version);
  const read = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(server.url + url, { headers })).json();
  const { info } = (await read('/api/openapi.json')) as { info: { version: string } };
  assert.equal(info.version, version);
  assert.deepEqual(await read('/healthz'), { status: 'ok', version });
  const behindProxy = await read('/healthz', { 'x-forwarded-for': '203.0.113.1' });
  assert.deepEqual(behindProxy, { status: 'ok' });

  const metrics = openMetrics({ metrics: { host: '127.0.0.1', port: 0 }, dataDir: '' });
  assert.ok((await metrics?.render())?.includes(`\ntertulia_info{version="${version}"} 1\n`));
  const { code, said } = await outcomeOf(runTertulia({}, '--version'));
  assert.deepEqual([code, said.trim()], [0, `tertulia ${version}, Node ${process.versions.node}`]);
});

/** Copies what prints the version. @returns a function that prints it there */
async function copyTo(folder: string): Promise<() => string | undefined> {
  const copy = (name: string) => cp(name, path.join(folder, name), { recursive: true });
  await copy('src/server');
  await copy('src/shared');
  await copy('package.json');
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  return () => {
    const args = ['src/server/operation/command/main.ts', '--version'];
    const said = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return /^tertulia (\S+), Node /.exec(said)?.[1];
  };
}

const { version: released } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
};

test('a build is named by its release, and by the version elsewhere', async () => {
  await using folder = await temporaryFolder('build');
  const printed = await copyTo(folder.path);
  assert.equal(printed(), released);
  await writeFile(path.join(folder.path, 'build'), '0.2.0\n');
  assert.equal(printed(), '0.2.0');
});

const whyNoGit = spawnSync('git', ['--version']).error ? 'git is not installed' : false;

test('a build in a clone is named by version and commit', { skip: whyNoGit }, async () => {
  await using folder = await temporaryFolder('build');
  const printed = await copyTo(folder.path);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@foro.example', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'First');
  assert.equal(printed(), `${released}+${git('rev-parse', 'HEAD').slice(0, 12)}`);
  const committed = new Date(git('log', '-1', '--format=%cI')).toISOString();
  assert.equal(printedDate(folder.path), committed);
});

/** The date of the build whose files are in a folder. */
function printedDate(folder: string): string {
  const script = `import { buildDate } from './src/server/system/version.ts'; process.stdout.write(String(buildDate()))`;
  const args = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

test('a release has the date of its commit, and a copy of files has none', async () => {
  await using folder = await temporaryFolder('build');
  await copyTo(folder.path);
  assert.equal(printedDate(folder.path), 'undefined');
  await writeFile(path.join(folder.path, 'build-date'), '2026-11-28T09:00:00.000Z\n');
  assert.equal(printedDate(folder.path), '2026-11-28T09:00:00.000Z');
});

test('a build is old after a year', { skip: whyNoGit }, () => {
  const madeAtMs = Date.parse(buildDate() ?? '');
  assert.equal(isOldBuild(madeAtMs + 365 * dayMs), false);
  assert.equal(isOldBuild(madeAtMs + 365 * dayMs + 1), true);
});
