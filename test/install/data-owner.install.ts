import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { onePixel } from '../attacks/hostile-images.ts';
import { eventually } from '../eventually.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { OwnPostgres } from '../postgres/own-postgres.ts';
import { outcomeOf, runTertulia } from '../processes/program.ts';
import { ServerProcess, startsWithinMs } from '../processes/server-process.ts';

const project = path.join(import.meta.dirname, '../..');
const user = `tertulia-${process.pid}`;
const skip = process.getuid?.() === 0 ? false : 'only root can become another user';

/** Expects that the user owns everything in a folder, and that nobody else can read any of it. */
async function assertPrivate(folder: string, uid: number): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of ['.', ...names]) {
    const found = await lstat(path.join(folder, name));
    const mode = (found.mode & 0o777).toString(8);
    assert.deepEqual([name, found.uid, mode], [name, uid, found.isDirectory() ? '700' : '600']);
  }
}

function runAs(uid: number, env: Record<string, string>, ...args: string[]) {
  const child = spawn(path.join(project, 'bin/tertulia'), args, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...env },
    uid,
    gid: uid,
  });
  return outcomeOf(child);
}

describe('root, beside the user that the server runs as', { skip }, () => {
  let uid: number;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let dataDir: string;
  let settings: string;
  const env = () => ({ TERTULIA_ENV_FILE: settings });
  const userFolder = async (name: string) => {
    const made = path.join(folder.path, name);
    await mkdir(made, { mode: 0o700 });
    await chown(made, uid, uid);
    return made;
  };
  const newestBackup = async () => {
    const names = await readdir(path.join(dataDir, 'backups'));
    const made = names.filter((name) => /^tertulia-.*\.tar$/.test(name)).sort();
    return path.join(dataDir, 'backups', made.at(-1) ?? '');
  };
  before(async () => {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', user]);
    uid = Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
    folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-owner-'));
    await chmod(folder.path, 0o711);
    dataDir = await userFolder('data');
    settings = path.join(folder.path, 'tertulia.env');
    await writeFile(settings, `DATA_DIR=${dataDir}\nPORT=0\nBACKUP_KEEP=1\n`, { mode: 0o600 });
  });
  after(async () => {
    await folder?.remove();
    execFileSync('userdel', [user]);
  });

  test('starts, backs up and administers the site as that user, and its daily backup still works', async () => {
    await using server = await ServerProcess.start(env());
    assert.equal((await lstat(`/proc/${server.pid}`)).uid, uid);
    const site = new ForumClient(server.url);
    const person = await site.person();
    await site.channel(person);
    const image = await onePixel(800, 400).png().toBuffer();
    assert.ok((await site.upload(person, image)).ok);

    const made = await outcomeOf(runTertulia(env(), 'backup'));
    assert.equal(made.code, 0, made.said);
    assert.match(made.said, new RegExp(`^Running as ${user}, the owner of ${dataDir}\\.\n`));
    assert.match(made.said, new RegExp(`^Settings: ${settings} `, 'm'));
    const disabled = await outcomeOf(runTertulia(env(), 'admin', 'disable', person.id));
    assert.equal(disabled.code, 0, disabled.said);
    const audit = await outcomeOf(runTertulia(env(), 'admin', 'audit'));
    assert.match(audit.said, new RegExp(`\\(as ${user}\\) +disable-account`));
    const checked = await outcomeOf(runTertulia(env(), 'doctor'));
    assert.match(checked.said, /^ok +database/m);

    const isMade = async () => server.logged(/^backup made and verified$/).length > 0;
    await eventually('the daily backup is made', isMade, startsWithinMs);
    await assertPrivate(dataDir, uid);
    const { code, said } = await server.stop();
    assert.equal(code, 0, said);
  });

  test('gets an error when that user cannot read the installation', async () => {
    const installation = path.join(folder.path, 'private');
    await mkdir(installation, { mode: 0o700 });
    for (const name of ['bin', 'src', 'package.json']) {
      await cp(path.join(project, name), path.join(installation, name), { recursive: true });
    }
    await symlink(path.join(project, 'node_modules'), path.join(installation, 'node_modules'));
    const child = spawn(path.join(installation, 'bin/tertulia'), ['doctor'], {
      env: { PATH: process.env.PATH, ...env() },
    });
    const { code, said } = await outcomeOf(child);
    assert.equal(code, 1, said);
    const expected = `The user ${user} may not read the installation, ${installation}, .* chmod 0755 `;
    assert.match(said, new RegExp(expected));
    assert.doesNotMatch(said, /^ +at /m);
    await rm(installation, { recursive: true });
  });

  test('makes, verifies and restores a backup in a folder that only root may enter', async () => {
    const ofRoot = path.join(folder.path, 'of-root');
    await mkdir(ofRoot, { mode: 0o700 });
    const target = path.join(ofRoot, 'site.tar');
    const DATA_DIR = await userFolder('from-root');
    const restored = { ...env(), DATA_DIR };
    const failed = await outcomeOf(runTertulia(restored, 'backup', target));
    assert.equal(failed.code, 4, failed.said);
    assert.equal((await lstat(target)).size, 0);

    const made = await outcomeOf(runTertulia(env(), 'backup', target));
    assert.equal(made.code, 0, made.said);
    const found = await lstat(target);
    assert.deepEqual([found.uid, found.mode & 0o777], [0, 0o600]);
    const again = await outcomeOf(runTertulia(env(), 'backup', target));
    assert.equal(again.code, 1);
    assert.match(again.said, /site\.tar exists already/);
    const verified = await outcomeOf(runTertulia(env(), 'backup', '--verify', target));
    assert.equal(verified.code, 0, verified.said);
    // The ledger beside the backup is read as well.
    const ledger = path.join(ofRoot, 'erased-accounts.txt');
    await writeFile(ledger, `${'x'.repeat(43)} erase\n`, { mode: 0o600 });
    const { code, said } = await outcomeOf(runTertulia(restored, 'restore', target));
    assert.equal(code, 0, said);
    await assertPrivate(DATA_DIR, uid);
    const own = path.join(DATA_DIR, 'backups/erased-accounts.txt');
    assert.match(await readFile(own, 'utf8'), /^x{43} erase$/m);
    assert.deepEqual((await readdir(ofRoot)).sort(), ['erased-accounts.txt', 'site.tar']);
    await rm(ofRoot, { recursive: true });
  });

  test('follows no link of that user as root', async () => {
    const ofRoot = path.join(folder.path, 'of-root');
    await mkdir(ofRoot, { mode: 0o700 });
    await writeFile(path.join(ofRoot, 'secret.tar'), 'secret', { mode: 0o600 });
    const links = await userFolder('links');
    await symlink(ofRoot, path.join(links, 'folder'));
    await symlink(path.join(ofRoot, 'secret.tar'), path.join(links, 'file.tar'));
    for (const args of [
      ['backup', path.join(links, 'folder/made.tar')],
      ['backup', '--verify', path.join(links, 'folder/secret.tar')],
      ['backup', '--verify', path.join(links, 'file.tar')],
      ['restore', path.join(links, 'file.tar')],
    ]) {
      const { code, said } = await outcomeOf(runTertulia(env(), ...args));
      assert.equal(code, 1, said);
      assert.match(said, new RegExp(`^The user ${user} lacks the right`, 'm'));
    }
    assert.deepEqual(await readdir(ofRoot), ['secret.tar']);
    await rm(ofRoot, { recursive: true });
  });

  test('opens no data folder of root for that user, nor one below a folder that others can change', async () => {
    const ofRoot = path.join(folder.path, 'of-root');
    await mkdir(path.join(ofRoot, 'backups'), { recursive: true, mode: 0o700 });
    const unfinished = path.join(ofRoot, 'backups/tertulia-of-root.part');
    await writeFile(unfinished, '');
    await cp(path.join(dataDir, 'tertulia.db'), path.join(ofRoot, 'tertulia.db'));
    const parent = await userFolder('parent');
    const DATA_DIR = path.join(parent, 'data');
    await symlink(ofRoot, DATA_DIR);
    for (const command of ['backup', 'doctor', 'start']) {
      const { code, said } = await outcomeOf(runTertulia({ ...env(), DATA_DIR }, command));
      assert.notEqual(code, 0, said);
      assert.match(said, new RegExp(`^Running as ${user}, `, 'm'));
      assert.doesNotMatch(said, /^ +at /m);
    }
    assert.deepEqual((await readdir(ofRoot)).sort(), ['backups', 'tertulia.db']);
    assert.equal((await lstat(unfinished)).size, 0);
    // That user owns a folder that the command creates.
    const made = path.join(parent, 'made');
    const restored = await outcomeOf(
      runTertulia({ ...env(), DATA_DIR: made }, 'restore', await newestBackup()),
    );
    assert.equal(restored.code, 0, restored.said);
    await assertPrivate(made, uid);

    for (const mode of [0o777, 0o1777]) {
      await chmod(ofRoot, mode);
      const { code, said } = await outcomeOf(runTertulia({ ...env(), DATA_DIR: ofRoot }, 'backup'));
      assert.equal(code, 1, said);
      assert.match(said, new RegExp(`^Other users can change ${ofRoot}, a folder of root`, 'm'));
    }
    await rm(ofRoot, { recursive: true });
  });

  test('verifies a backup beside what another user left in a shared folder', async () => {
    const shared = path.join(folder.path, 'shared-with-all');
    await mkdir(shared);
    await chmod(shared, 0o1777);
    const file = path.join(shared, 'site.tar');
    await cp(await newestBackup(), file);
    await chown(file, uid, uid);
    const planted = path.join(shared, 'verifying-aaaaaa');
    await mkdir(planted, { mode: 0o777 });
    await symlink(path.join(dataDir, 'made-by-link'), path.join(planted, 'verifying.lock'));
    await chown(planted, 65_534, 65_534);
    for (const DATA_DIR of [dataDir, path.join(shared, 'none')]) {
      const asUser = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR };
      const { code, said } = await runAs(uid, asUser, 'backup', '--verify', file);
      assert.equal(code, 0, said);
    }
    assert.ok(!(await readdir(dataDir)).includes('made-by-link'));
    assert.deepEqual((await readdir(shared)).sort(), ['site.tar', 'verifying-aaaaaa']);
  });

  test('cannot write a backup where that user cannot, and gets an error', async () => {
    const ofOther = path.join(folder.path, 'of-other');
    await mkdir(ofOther, { mode: 0o755 });
    await chown(ofOther, 65_534, 65_534);
    const target = path.join(ofOther, 'site.tar');
    const { code, said } = await outcomeOf(runTertulia(env(), 'backup', target));
    assert.equal(code, 1);
    assert.match(said, new RegExp(`^The user ${user} lacks the right .*${target}`, 'm'));
    assert.doesNotMatch(said, /^ +at /m);
    assert.deepEqual(await readdir(ofOther), []);
  });

  test('restores into an empty folder of that user, who can start on it', async () => {
    const DATA_DIR = await userFolder('restored');
    const restored = { ...env(), DATA_DIR };
    const backup = await newestBackup();
    const { code, said } = await outcomeOf(runTertulia(restored, 'restore', backup));
    assert.equal(code, 0, said);
    await assertPrivate(DATA_DIR, uid);
    await using server = await ServerProcess.start({ ...restored, BACKUP_KEEP: '0' });
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  test('does not start that user beside a ledger of erasures that only root can read', async () => {
    const file = path.join(dataDir, 'backups/erased-accounts.txt');
    const paths = ['backups/erased-accounts.txt', 'backups'];
    await writeFile(file, '', { mode: 0o600 });
    await chown(file, uid, uid);
    for (const name of paths) {
      const target = path.join(dataDir, name);
      const { mode } = await lstat(target);
      await chown(target, 0, 0);
      const { code, said } = await outcomeOf(runTertulia(env(), 'start'));
      await chown(target, uid, uid);
      assert.deepEqual([code, (await lstat(target)).mode], [4, mode], said);
      assert.match(said, new RegExp(`^The ledger of.*(EACCES: .*${user}|${user}.*EACCES)`, 'm'));
      assert.doesNotMatch(said, /^ +at /m);
    }
    await using server = await ServerProcess.start(env());
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  test('signs in to PostgreSQL as that user where DATABASE_URL names nobody', async () => {
    const postgres = await OwnPostgres.start('max_connections=60');
    try {
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.query(`create role "${user}" login password 'clave'`);
      await client.end();
      const url = new URL(postgres.url);
      url.username = url.password = '';
      const unnamed = { DATABASE_URL: url.href, PGPASSWORD: 'clave', USER: 'root' };
      const { said } = await outcomeOf(runTertulia({ ...env(), ...unnamed }, 'doctor'));
      assert.match(said, /^advice +database +it is empty/m);
    } finally {
      await postgres.remove();
    }
  });

  test('another user gets an error when the settings file or the data folder is not theirs', async () => {
    const nobody = 65_534;
    const unread = await runAs(nobody, env(), 'backup');
    assert.equal(unread.code, 2);
    assert.match(unread.said, /tertulia\.env may not be read by the user nobody.*chgrp/);
    const elsewhere = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR: dataDir };
    for (const command of [['backup'], ['admin', 'accounts'], ['doctor'], ['start']]) {
      const { code, said } = await runAs(nobody, elsewhere, ...command);
      assert.equal(code, 1, said);
      assert.match(said, /The user nobody may not open and change the data folder/);
      assert.doesNotMatch(said, /^ +at /m);
    }
  });

  test('another user gets an error that names the owner of a folder that only its owner may write to', async () => {
    const ofRoot = path.join(folder.path, 'of-root');
    await mkdir(ofRoot, { mode: 0o755 });
    const elsewhere = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR: ofRoot };
    const { code, said } = await runAs(65_534, elsewhere, 'start');
    assert.equal(code, 1);
    assert.match(said, /The user nobody may not open and change .* the user with the id 0\./);
    await rm(ofRoot, { recursive: true });
  });

  test('root without capabilities, as in a container, gets an error that names the user to run the command as', async () => {
    const without = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
    const child = spawn('setpriv', [...without, path.join(project, 'bin/tertulia'), 'doctor'], {
      env: { PATH: process.env.PATH, TERTULIA_ENV_FILE: '/dev/null', DATA_DIR: dataDir },
    });
    const { code, said } = await outcomeOf(child);
    assert.equal(code, 1, said);
    assert.match(said, new RegExp(`root may not become .* docker compose exec --user ${uid}:`));
    assert.doesNotMatch(said, /^ +at /m);
  });
});
