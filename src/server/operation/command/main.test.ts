import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { UsageError } from '../../system/operator-error.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { verifyBackup } from '../backups/verify-backup.ts';
import { openSite } from '../start/open-site.ts';
import { parseArguments } from './command-line.ts';
import { describeFailure, exitCodeOf } from './failures.ts';
import { findCommand } from './find-command.ts';
import { listCommands } from './help.ts';
import { requireOwner } from './require-owner.ts';

const project = path.join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

test('--help lists the commands, and explains one, without reading settings', async () => {
  for (const name of ['start', 'check-config', 'backup', 'restore', 'admin', 'doctor']) {
    assert.match(listCommands(), new RegExp(`^  ${name} +\\S`, 'm'));
  }
  const wrong = { PORT: 'x' };
  const all = await outcomeOf(runTertulia(wrong, '--help'));
  assert.deepEqual(all, { code: 0, said: `${listCommands()}\n` });
  const one = await outcomeOf(runTertulia(wrong, 'backup', '--help'));
  assert.equal(one.code, 0);
  assert.match(one.said, /^usage: tertulia backup \[FILE\]\n.*--verify FILE.*--env-file FILE/s);
});

for (const [args, expected] of [
  [[], /^usage: tertulia <command>/],
  [['bakcup'], /no command bakcup\.\nSee: tertulia --help/],
  [['--verison'], /no option --verison\./],
  [['start', '--daily'], /Unknown option '--daily'.*\nSee: tertulia start --help/],
  [['start', 'now'], /^usage: tertulia start$/m],
  [['backup', 'a.tar', 'b.tar'], /^usage: tertulia backup/],
  [['restore'], /^usage: tertulia restore/],
  [['restore', ''], /An argument is empty/],
  [['backup', '--env-file='], /An argument is empty/],
  [['constructor'], /no command constructor/],
] as const) {
  test(`the command line "${args.join(' ')}" is refused`, () => {
    const [name = '', ...commandArgs] = args;
    assert.throws(
      () => parseArguments(name, findCommand(name), commandArgs),
      (error) => error instanceof UsageError && expected.test(error.message),
    );
  });
}

for (const line of [
  'backup --verify --env-file x.env a.tar',
  'backup a.tar --env-file=x.env --verify',
  'restore a.tar --env-file x.env --keep-sessions',
]) {
  test(`the command line "${line}" is understood, whatever the order of options and file`, () => {
    const [name = '', ...commandArgs] = line.split(' ');
    const { values, positionals } = parseArguments(name, findCommand(name), commandArgs);
    assert.deepEqual(positionals, ['a.tar']);
    assert.equal(values['env-file'], 'x.env');
    assert.equal(values[name === 'backup' ? 'verify' : 'keep-sessions'], true);
  });
}

test('a wrong command line exits with 2 and changes nothing', async () => {
  await using folder = await temporaryFolder('main');
  const env = { DATA_DIR: folder.path };
  const unknown = await outcomeOf(runTertulia(env, 'bakcup'));
  assert.deepEqual(
    [unknown.code, unknown.said.split('\n')[0]],
    [2, 'tertulia has no command bakcup.'],
  );
  for (const words of ['--verify', '--restore a.tar', '--daily a.tar']) {
    const { code, said } = await runCommand(env, 'backup', ...words.split(' '));
    assert.equal(code, 2, said);
    assert.match(said, /one of them/);
  }
  assert.deepEqual(await readdir(folder.path), []);
});

test('a path that is missing or of another kind is named without a stack', async () => {
  await using folder = await temporaryFolder('paths');
  const file = path.join(folder.path, 'file');
  await writeFile(file, '');
  const loop = path.join(folder.path, 'loop');
  await symlink('loop', loop);
  const pipe = path.join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Bytes 124 to 135 contain the size in a tar header; these begin as a number in base 256 does.
  const packed = path.join(folder.path, 'site.tar.gz');
  await writeFile(packed, Buffer.alloc(1024, 0x80));
  const start = async (dataDir: string) => {
    requireOwner(dataDir);
    await openSite(parseConfig({ DATA_DIR: dataDir }));
  };
  for (const [act, code, expected] of [
    [() => verifyBackup(folder.path), 1, /is not a file/],
    [() => verifyBackup(pipe), 1, /pipe is not a file/],
    [() => verifyBackup(`${file}.tar`), 1, /no such file.*file\.tar/],
    [() => verifyBackup(packed), 1, /tar\.gz is not a backup of tertulia/],
    [() => start(file), 2, /DATA_DIR \(.*file\) is not a folder/],
    [() => start(path.join(file, 'data')), 1, /not a directory/],
    [() => start('x'.repeat(300)), 1, /too long/],
    [() => start(loop), 1, /symbolic links/],
  ] as const) {
    const error = await Promise.try<unknown, []>(act).then(
      () => assert.fail(`nothing was wrong: ${expected}`),
      (reason: unknown) => reason,
    );
    assert.equal(exitCodeOf(error), code, String(expected));
    assert.match(String(describeFailure(error)), expected);
    assert.ok(typeof describeFailure(error) === 'string', 'a sentence and no stack');
  }
});

test('bin/tertulia finds its installation through symbolic links and whatever CDPATH says, and takes relative paths from the caller', async () => {
  await using folder = await temporaryFolder('bin');
  await symlink(path.join(project, 'bin/tertulia'), path.join(folder.path, 'absolute'));
  await symlink('absolute', path.join(folder.path, 'tertulia'));
  const options = { cwd: folder.path, env: { PATH: process.env.PATH } };
  await assert.rejects(run('./tertulia', ['check-config', '--env-file', 'no.env'], options), {
    code: 2,
    stderr: new RegExp(`${folder.path}/no\\.env does not exist`),
  });
  const env = { PATH: process.env.PATH, CDPATH: `.:${tmpdir()}` };
  const { stdout } = await run('bin/tertulia', ['--version'], { cwd: project, env });
  assert.match(stdout, /^tertulia \d/);
});

test('bin/tertulia says what to do when its Node is missing or cannot run here', async () => {
  await using folder = await temporaryFolder('bare');
  await run('cp', ['-R', path.join(project, 'bin'), folder.path]);
  const start = () => run(path.join(folder.path, 'bin/tertulia'), ['start']);
  await assert.rejects(start(), { code: 2, stderr: /Nothing is installed in .*npm start/ });
  const programs = path.join(folder.path, 'node_modules/.bin');
  await mkdir(programs, { recursive: true });
  const cut = (await readFile(process.execPath)).subarray(0, 100_000);
  const otherMachine = Buffer.from(cut);
  otherMachine.writeUInt16LE(0xfff0, 18);
  for (const content of [cut, otherMachine, Buffer.alloc(0)]) {
    await writeFile(path.join(programs, 'node'), content, { mode: 0o755 });
    await assert.rejects(start(), {
      code: 2,
      stderr:
        /^tertulia's Node does not run on this machine .*another kind of machine.*unpack it again/m,
    });
  }
});
