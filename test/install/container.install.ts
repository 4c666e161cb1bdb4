import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ForumClient } from '../forum/forum-client.ts';
import { freePorts } from '../processes/free-ports.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { minimalDebian, run, whyNoDebian } from './debian.ts';
import { makeRelease } from './make-release.ts';

const maxMb = 300;

interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  StopSignal: string;
  Volumes: Record<string, unknown>;
  Healthcheck: { Test: string[] };
  Labels: Record<string, string>;
}

/** Runs Buildah with separate storage and without a container registry. */
function buildahIn(folder: string) {
  const storage = ['--root', `${folder}/storage`, '--runroot', `${folder}/run`];
  return (...args: string[]): string =>
    run('buildah', ...storage, '--storage-driver=vfs', ...args).trim();
}

/** Makes the base image of a minimal Debian. */
function makeBase(buildah: (...args: string[]) => string): void {
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, minimalDebian(), '/');
  buildah('commit', '--quiet', container, 'localhost/run-base');
  buildah('rm', container);
}

function build(buildah: (...args: string[]) => string, tree: string): string {
  const args = ['RUN_IMAGE=localhost/run-base', 'VERSION=1.0.0'];
  const options = ['--isolation=chroot', '--format=docker', '--tag=localhost/tertulia'];
  const given = args.map((value) => `--build-arg=${value}`);
  return buildah('build', ...options, ...given, `--file=${tree}/Containerfile`, tree);
}

/** Runs a program of the image as its user and as PID 1, on a root where only /data is writable. */
function startIn(root: string, data: string, config: ImageConfig, args: string[], port: number) {
  const script = `mount --rbind "$1" "$1" && mount --bind "$2" "$1/data" && mount -t proc proc "$1/proc" &&
    mount -o remount,bind,ro "$1" && shift 2 && exec chroot "$@"`;
  const env = [...config.Env.filter((value) => !value.startsWith('PORT=')), `PORT=${port}`];
  const command = [`--userspec=${config.User}`, root, 'env', '-i', ...env, ...args];
  const namespaces = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child=SIGKILL',
    '--propagation=private',
  ];
  return spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', root, data, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @returns the id on this machine of the container's PID 1 */
function processOne(unshare: ChildProcess): number {
  return Number(execFileSync('pgrep', ['-P', String(unshare.pid)], { encoding: 'utf8' }));
}

test('the image is built from the archive and serves as its user from a root that is read-only', {
  skip: whyNoDebian('buildah', 'unshare', 'pgrep'),
}, async (t) => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-image-'));
  const buildah = buildahIn(folder.path);
  makeBase(buildah);
  const tree = path.join(folder.path, 'tree');
  await mkdir(tree);
  const release = await makeRelease('1.0.0');
  const archive = path.join(release, `tertulia-1.0.0-linux-${process.arch}.tar.gz`);
  run('tar', '-xzf', archive, '-C', tree, '--strip-components=1');
  await writeFile(path.join(tree, '.env'), 'SMTP_URL=smtp://foro:secret@mail.example');
  // A strict umask leaves an unpacked archive like this.
  run('chmod', '-R', 'go=', tree);
  build(buildah, tree);
  const container = buildah('from', '--pull=never', 'localhost/tertulia');
  const root = buildah('mount', container);
  const inspected = buildah('inspect', '--type=image', 'localhost/tertulia');
  const config: ImageConfig = JSON.parse(inspected).Docker.config;

  await t.test('it has a user, a signal, a volume, labels, no npm and no settings', () => {
    assert.equal(config.User, '10001:10001');
    assert.equal(config.StopSignal, 'SIGTERM');
    assert.deepEqual(Object.keys(config.Volumes), ['/data']);
    assert.equal(config.Labels['org.opencontainers.image.version'], '1.0.0');
    const unwanted = ['npm*', '.env', '*.env'].flatMap((name) => ['-o', '-name', name]).slice(1);
    assert.equal(run('find', `${root}/opt`, ...unwanted), '');
  });

  await t.test(`it takes at most ${maxMb} MB`, () => {
    const [bytes = ''] = run('du', '-sb', root).split('\t');
    t.diagnostic(`size: ${Math.round(Number(bytes) / 1e6)} MB`);
    assert.ok(Number(bytes) <= maxMb * 1e6, bytes);
  });

  await t.test('it serves, is healthy, and PID 1 ends with SIGTERM', async () => {
    const data = path.join(folder.path, 'data');
    await mkdir(data);
    run('chown', config.User, data);
    const port = (await freePorts(1))[0] ?? assert.fail();
    let unshare: ChildProcess | undefined;
    const start = () => {
      unshare = startIn(root, data, config, [...config.Entrypoint, ...config.Cmd], port);
      return unshare;
    };
    await using server = await ServerProcess.start({}, start);
    const forum = new ForumClient(server.url);
    const person = await forum.person();
    const channel = await forum.channel(person);
    await forum.comment(person, channel._id, 'hola');
    const inside = processOne(unshare ?? assert.fail());
    const status = await readFile(`/proc/${inside}/status`, 'utf8');
    assert.match(status, /^NSpid:\t\d+\t1$/m);
    assert.match(status, /^Uid:\t10001\t/m);

    const [, ...health] = config.Healthcheck.Test;
    const healthy = await once(startIn(root, data, config, health, port), 'close');
    assert.equal(healthy[0], 0);
    const write = startIn(root, data, config, ['touch', '/opt/tertulia/x'], port);
    assert.notEqual((await once(write, 'close'))[0], 0);

    process.kill(inside, 'SIGTERM');
    assert.equal((await server.ended).code, 0);
    const unhealthy = await once(startIn(root, data, config, health, port), 'close');
    assert.notEqual(unhealthy[0], 0);
  });

  await t.test('it is not built in a clone', () => {
    assert.throws(() => build(buildah, process.cwd()), /COPY build .*no such file/);
  });
  buildah('umount', container);
});
