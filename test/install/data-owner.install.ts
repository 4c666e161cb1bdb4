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
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Forum } from '../forum/forum.ts';
import { outcomeOf, runTertulia } from '../processes/program.ts';

const project = path.join(import.meta.dirname, '../..');
const program = path.join(project, 'bin/tertulia');
const user = `tertulia-${process.pid}`;
const nobody = 65_534;
const skip = process.getuid?.() === 0 ? false : 'only root can become another user';

/** Runs a shell command as root with no other settings than these. */
function type(line: string, env: Record<string, string> = {}) {
  return outcomeOf(
    spawn('sh', ['-c', line], { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env } }),
  );
}

function runAs(uid: number, env: Record<string, string>, ...args: string[]) {
  const options = { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env }, uid, gid: uid };
  return outcomeOf(spawn(program, args, options));
}

describe('root, beside the user that the server runs as', { skip }, () => {
  let uid: number;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let dataDir: string;
  let settings: string;
  const env = () => ({ TERTULIA_ENV_FILE: settings });
  /** Copies the site and gives the copy to a user. */
  const siteOf = async (name: string, owner: number) => {
    const copy = path.join(folder.path, name);
    await cp(dataDir, copy, { recursive: true });
    execFileSync('chown', ['-R', `${owner}:${owner}`, copy]);
    return copy;
  };

  before(async () => {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', user]);
    uid = Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
    folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-owner-'));
    await chmod(folder.path, 0o711);
    dataDir = path.join(folder.path, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    await (await Forum.start('sqlite', { DATA_DIR: dataDir })).stop();
    execFileSync('chown', ['-R', `${user}:`, dataDir]);
    settings = path.join(folder.path, 'tertulia.env');
    await writeFile(settings, `DATA_DIR=${dataDir}\nPORT=0\n`);
    execFileSync('chown', [`root:${user}`, settings]);
    await chmod(settings, 0o640);
  });
  after(async () => {
    await folder?.remove();
    execFileSync('userdel', [user]);
  });

  test('is refused, and the line that is printed runs the command as that user', async () => {
    for (const args of [
      ['start'],
      ['doctor'],
      ['backup', '--daily'],
      ['restore', 'site.tar'],
      ['admin', 'audit'],
    ]) {
      const { code, said } = await outcomeOf(runTertulia(env(), ...args));
      assert.equal(code, 2, said);
      assert.equal(
        said,
        `The data folder ${dataDir} belongs to ${user}, and root would leave files there that the server cannot open. Type:\nrunuser -u ${user} -- ${program} ${args.join(' ')}\n`,
      );
    }
    const file = path.join(dataDir, "the site's.tar");
    const refused = await outcomeOf(runTertulia({}, 'backup', '--env-file', settings, file));
    const made = await type(refused.said.split('\n')[1] ?? '');
    assert.equal(made.code, 0, made.said);
    assert.equal((await lstat(file)).uid, uid);
  });

  test('is shown the short name of the command where the shell finds it', async () => {
    const { said } = await type(`PATH=${project}/bin:$PATH tertulia doctor`, env());
    assert.match(said, new RegExp(`^runuser -u ${user} -- tertulia doctor$`, 'm'));
  });

  test('runs the command by the id of an owner without a name', async () => {
    const DATA_DIR = await siteOf('unnamed', 54_321);
    const plain = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR };
    const { said } = await outcomeOf(runTertulia(plain, 'admin', 'accounts'));
    assert.match(said, /^The data folder .* belongs to the user with the id 54321, /);
    const line = said.split('\n')[1] ?? '';
    assert.match(line, /^setpriv --reuid=54321 --regid=54321 --clear-groups /);
    assert.deepEqual(await type(line, plain), { code: 0, said: 'none\n' });
  });

  test('reads help, the version and the settings, asks for the health, and lists the commands of admin', async () => {
    for (const [args, code] of [
      [['--version'], 0],
      [['backup', '--help'], 0],
      [['check-config'], 0],
      [['admin'], 0],
      [['healthcheck'], 1],
    ] as const) {
      const outcome = await outcomeOf(runTertulia(env(), ...args));
      assert.equal(outcome.code, code, outcome.said);
      assert.doesNotMatch(outcome.said, /runuser/);
    }
  });

  test('works on a data folder of its own, and where there is none yet', async () => {
    const own = await siteOf('own', 0);
    const backup = path.join(folder.path, 'own.tar');
    const made = await outcomeOf(runTertulia({ DATA_DIR: own }, 'backup', backup));
    assert.equal(made.code, 0, made.said);
    const DATA_DIR = path.join(folder.path, 'missing');
    const restored = await outcomeOf(runTertulia({ DATA_DIR }, 'restore', backup));
    assert.equal(restored.code, 0, restored.said);
    assert.match(restored.said, /belongs to root\. If the server runs as another user.*chown/);
  });

  test('is told about its own file in the folder of that user, and how to fix it', async () => {
    const DATA_DIR = await siteOf('mixed', uid);
    const plain = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR };
    const run = (...args: string[]) => runAs(uid, plain, ...args);
    const database = path.join(DATA_DIR, 'tertulia.db');
    await chown(database, 0, 0);
    await mkdir(path.join(DATA_DIR, 'backups'), { recursive: true });
    await chown(path.join(DATA_DIR, 'backups'), 0, 0);
    const { code, said } = await run('admin', 'accounts');
    assert.equal(code, 1);
    assert.match(said, new RegExp(`^${database} belongs to root, and the user ${user} may not`));
    await chown(database, uid, uid);
    const failed = await run('backup');
    assert.equal(failed.code, 1, failed.said);
    assert.match(failed.said, new RegExp(`${DATA_DIR}/backups belongs to root`));
    assert.doesNotMatch(failed.said, /^ +at /m);

    await chown(database, 0, 0);
    const [, mend = ''] = /As root: (.*)$/m.exec(said) ?? [];
    assert.equal((await type(mend)).code, 0, mend);
    for (const args of [['admin', 'accounts'], ['backup']]) {
      const mended = await run(...args);
      assert.equal(mended.code, 0, mended.said);
    }
  });

  test('has a backup verified by that user, who follows no link in the folder of another user', async () => {
    const shared = path.join(folder.path, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o1777);
    const file = path.join(shared, 'site.tar');
    await cp(path.join(folder.path, 'own.tar'), file);
    await chown(file, uid, uid);
    const planted = path.join(shared, 'verifying-aaaaaa');
    await mkdir(planted, { mode: 0o777 });
    await symlink(path.join(dataDir, 'made-by-link'), path.join(planted, 'verifying.lock'));
    await chown(planted, nobody, nobody);
    const plain = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR: dataDir };
    const { code, said } = await runAs(uid, plain, 'backup', '--verify', file);
    assert.equal(code, 0, said);
    assert.ok(!(await readdir(dataDir)).includes('made-by-link'));
    assert.deepEqual((await readdir(shared)).sort(), ['site.tar', 'verifying-aaaaaa']);
  });

  test('is named to another user who may not read the settings or open the data folder', async () => {
    const unread = await runAs(nobody, env(), 'backup');
    assert.equal(unread.code, 2, unread.said);
    assert.match(unread.said, new RegExp(`may not be read by the user nobody.*${program} backup`));
    const elsewhere = { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR: dataDir };
    for (const args of [['backup'], ['admin', 'accounts'], ['doctor'], ['start']]) {
      const { code, said } = await runAs(nobody, elsewhere, ...args);
      assert.equal(code, 1, said);
      assert.match(
        said,
        new RegExp(`which belongs to ${user}\\. Type as root:\nrunuser -u ${user}`),
      );
    }
    const DATA_DIR = path.join(dataDir, 'inside');
    const { said } = await runAs(nobody, { ...elsewhere, DATA_DIR }, 'backup');
    assert.match(said, new RegExp(`^${dataDir} belongs to ${user}, .*Type as root:\n${program}`));
  });
});
