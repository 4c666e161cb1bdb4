import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  mkdtempDisposable,
  readFile,
  rename,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { noSmallDisk, SmallDisk } from '../faults/small-disk.ts';
import { outcomeOf } from '../processes/program.ts';

const project = path.join(import.meta.dirname, '../..');
const minuteMs = 60_000;
/** Files that `scripts/prepare.js` reads. */
const needed = ['package.json', 'package-lock.json', 'bin', 'scripts', 'src', 'public'];

/** Starts `prepare.js` in a folder, with additional variables. */
function startPrepare(cwd: string, env: Record<string, string> = {}): ChildProcess {
  return spawn('node', ['scripts/prepare.js'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group can be killed as a whole.
    detached: true,
  });
}

/** Makes a copy of the project and prepares it. */
async function preparedCopy(folder: string): Promise<string> {
  const copy = path.join(folder, 'a project');
  await mkdir(copy);
  for (const name of needed)
    await cp(path.join(project, name), path.join(copy, name), { recursive: true });
  // An administrator's npm settings may omit packages that the server needs.
  const restrictive = { npm_config_ignore_scripts: 'true', npm_config_omit: 'optional' };
  const { code, said } = await outcomeOf(startPrepare(copy, restrictive));
  assert.equal(code, 0, said);
  return copy;
}

function assertRuns(copy: string): void {
  const program = 'import("sharp").then(() => console.log("runs"))';
  const node = path.join(copy, 'node_modules/.bin/node');
  assert.equal(execFileSync(node, ['-e', program], { cwd: copy, encoding: 'utf8' }), 'runs\n');
  assert.ok(existsSync(path.join(copy, 'dist/client/.vite/manifest.json')));
  assert.ok(!existsSync(path.join(copy, '.prepare')));
}

test('an install that fails, is killed or runs twice leaves an installation that works', async (t) => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-prepare-'));
  const copy = await preparedCopy(folder.path);
  // Whitespace changes the lock file but not its packages.
  const change = () => appendFile(path.join(copy, 'package-lock.json'), '\n');

  await t.test('nothing is done a second time', async () => {
    assert.deepEqual(await outcomeOf(startPrepare(copy)), { code: 0, said: '' });
  });

  await t.test('a download that fails', async () => {
    await change();
    const { code, said } = await outcomeOf(
      startPrepare(copy, {
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_replace_registry_host: 'always',
        npm_config_cache: path.join(folder.path, 'empty cache'),
        npm_config_fetch_retries: '0',
      }),
    );
    assert.equal(code, 1);
    assert.match(said, /What was installed and built before is as it was/);
    assert.doesNotMatch(said, /^ +at /m);
    assertRuns(copy);
  });

  await t.test('a Node that is not what the lock file says', async () => {
    const file = path.join(copy, 'package-lock.json');
    const lock = await readFile(file, 'utf8');
    const { arch } = process;
    const integrity = new RegExp(`(?<=node-linux-${arch}": \\{[^}]*sha512-)....`);
    assert.match(lock, integrity);
    await writeFile(file, lock.replace(integrity, 'AAAA'));
    const { code, said } = await outcomeOf(startPrepare(copy));
    await writeFile(file, lock);
    assert.equal(code, 1);
    assert.match(said, /^npm did not install Node for this machine \(linux-/m);
    assert.match(said, /What was installed and built before is as it was/);
    assertRuns(copy);
  });

  await t.test('a registry that accepts connections and never responds', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const startMs = performance.now();
    const { code, said } = await outcomeOf(
      startPrepare(copy, {
        npm_config_registry: registry,
        npm_config_replace_registry_host: 'always',
        npm_config_cache: path.join(folder.path, 'empty cache'),
      }),
    );
    silent.close();
    assert.equal(code, 1);
    assert.match(said, new RegExp(`^npm does not reach ${registry} \\(`, 'm'));
    assert.match(said, /What was installed and built before is as it was/);
    assert.ok(performance.now() - startMs < minuteMs);
    assertRuns(copy);
  });

  await t.test('a kill during the install', async () => {
    const prepare = startPrepare(copy);
    const ended = once(prepare, 'close');
    const begun = path.join(copy, '.prepare/node_modules');
    await eventually('packages are installed', async () => existsSync(begun), minuteMs);
    process.kill(-(prepare.pid ?? assert.fail()), 'SIGKILL');
    await ended;
    assert.ok(existsSync(begun));
    const version = execFileSync(path.join(copy, 'node_modules/.bin/node'), ['--version']);
    assert.match(String(version), /^v/);
  });

  await t.test('two at once after it', async () => {
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(startPrepare(copy))));
    assert.deepEqual(
      outcomes.map(({ code }) => code),
      [0, 0],
    );
    const installs = outcomes.flatMap(({ said }) => said.match(/^Installing packages/gm) ?? []);
    assert.equal(installs.length, 1);
    assertRuns(copy);
  });

  await t.test('a kill between the two renames', async () => {
    const replaced = path.join(copy, '.prepare/replaced');
    await mkdir(replaced, { recursive: true });
    await rename(path.join(copy, 'node_modules'), path.join(replaced, 'node_modules'));
    assert.deepEqual(await outcomeOf(startPrepare(copy)), { code: 0, said: '' });
    assertRuns(copy);
  });

  await t.test('a build that fails', async () => {
    const source = path.join(copy, 'src/client/app/entry-client.tsx');
    await appendFile(source, '}');
    const before = await readFile(path.join(copy, 'dist/.built-from'), 'utf8');
    const { code, said } = await outcomeOf(startPrepare(copy));
    assert.equal(code, 1, said);
    assert.equal(await readFile(path.join(copy, 'dist/.built-from'), 'utf8'), before);
    assertRuns(copy);
  });
});

test('an install on a full disk leaves what was installed', {
  skip: noSmallDisk ?? false,
}, async () => {
  const disk = new SmallDisk();
  try {
    for (const name of needed)
      await cp(path.join(project, name), path.join(disk.folder, name), { recursive: true });
    const before = path.join(disk.folder, 'node_modules/before');
    await mkdir(before, { recursive: true });
    const { code, said } = await outcomeOf(startPrepare(disk.folder));
    assert.equal(code, 1);
    assert.match(said, /^Installing needs 500 MB of free disk, and \d+ MB are free/);
    assert.ok(existsSync(before));
    assert.ok(!existsSync(path.join(disk.folder, '.prepare')));
  } finally {
    disk.remove();
  }
});
