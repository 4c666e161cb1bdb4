import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import type { Forum } from '../../../../test/forum/forum.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const admin = (env: Record<string, string>, ...args: string[]) => runCommand(env, 'admin', ...args);

const envOf = ({ services: { config } }: Forum): Record<string, string> => ({
  DATA_DIR: config.dataDir,
  PUBLIC_URL: 'https://foro.example',
  TRUST_PROXY: '1',
  ...(config.databaseUrl ? { DATABASE_URL: config.databaseUrl } : {}),
});

onBothEngines('tertulia admin', (forum) => {
  test('tertulia admin works beside the running server and records the user in the audit log', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person);
    const env = envOf(forum());
    const link = await admin(env, 'password', person.email);
    assert.match(link.said, /^https:\/\/foro\.example\/password#[\w-]{43}\n/);
    const hide = ['admin', 'hide', channel._id, '--note', 'publicidad'];
    const hidden = await outcomeOf(runTertulia(env, ...hide));
    assert.equal(hidden.code, 0, hidden.said);
    assert.equal((await forum().call('GET', apiRoutes.channel(channel._id))).status, 404);
    const { said } = await admin(env, 'audit');
    const line = new RegExp(`${userInfo().username}.* hide-channel +${channel._id} +publicidad`);
    assert.match(said, line);
  });

  test('prints a refusal as a sentence, without a stack', async () => {
    const { email } = await forum().person();
    const long = ['silence', email, '1', '--note', 'x'.repeat(2001)];
    const refused = await admin(envOf(forum()), ...long);
    assert.deepEqual(refused, { code: 1, said: 'Como mucho 2000 caracteres; ahora tiene 2001.\n' });
    await admin(envOf(forum()), 'role', email, 'admin');
    const { code, said } = await admin(envOf(forum()), 'role', email, 'member');
    assert.equal(code, 1, said);
    assert.match(said, /^Es la única cuenta que administra el foro\. .+\n$/);
  });

  test('times are not corrected while the server runs', async () => {
    const program = runTertulia(envOf(forum()), 'admin', 'correct-times');
    program.stdin?.end();
    const said = 'A server runs on the database: stop it first.\n';
    assert.deepEqual(await outcomeOf(program), { code: 3, said });
  });

  test('an erasure that is not answered with yes changes nothing, and ends', async () => {
    const { email } = await forum().person();
    for (const answer of ['no\n', null]) {
      const program = runTertulia(envOf(forum()), 'admin', 'erase-account', email);
      // The input stays open after an answer, as a terminal's does.
      if (answer) program.stdin?.write(answer);
      else program.stdin?.end();
      const { code, said } = await outcomeOf(program);
      assert.match(said, /Type yes: .*Nothing was changed/s);
      assert.equal(code, 1);
      assert.doesNotMatch(said, /Warning/);
    }
  });

  test('the doctor answers for settings, database, images, space and the last backup of a running forum', async () => {
    const { code, said } = await admin({ ...envOf(forum()), BACKUP_KEEP: '7' }, 'doctor');
    assert.equal(code, 0, said);
    const lines = said.trim().split('\n');
    for (const [index, expected] of [
      /^ok +settings +the environment/,
      /^ok +database +the .*: (SQLite 3|PostgreSQL \d+)\.\d.*, \d{3}-[\w-]+/,
      /^ok +images +the folder \//,
      /^ok +space +\d+ MB are free in \//,
      /^ok +last backup +there is none yet: the server makes one within an hour$/,
    ].entries()) {
      assert.match(lines[index] ?? '', expected);
    }
    assert.equal(lines.length, 5);
    const without = await runCommand(envOf(forum()), 'doctor', '--json');
    assert.equal(without.code, 1);
    assert.deepEqual(JSON.parse(without.said)[4], {
      subject: 'last backup',
      isOk: false,
      message: 'there is no daily backup: set BACKUP_KEEP=7',
    });
  });
});

test('the doctor prints what must be fixed and exits with 1', async () => {
  await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-doctor-'));
  const dataDir = temporary.path;
  const bucket = { S3_BUCKET: 'fotos', S3_ACCESS_KEY_ID: 'clave', S3_SECRET_ACCESS_KEY: 'secreto' };
  const { code, said } = await admin(
    {
      ...bucket,
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://ana:contrasena@127.0.0.1:1/nada',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      PUBLIC_URL: 'https://foro.example',
      RATE_LIMITS: 'off',
    },
    'doctor',
  );
  assert.equal(code, 1, said);
  assert.match(said, /^not ok +settings .*TRUST_PROXY.*; RATE_LIMITS/m);
  for (const about of ['database', 'images'])
    assert.match(said, new RegExp(`^not ok +${about} +\\S`, 'm'));
  assert.doesNotMatch(said, /contrasena|secreto|^ +at /m, 'no secrets, no stacks');
});

test('tertulia admin prints its help, and exits with 2 for an unknown command and for wrong settings', async () => {
  const help = await admin({});
  assert.equal(help.code, 0);
  assert.match(help.said, /tertulia admin <command>.* doctor /s);
  const nowhere = { DATA_DIR: '/nowhere' };
  for (const [env, args, expected] of [
    [nowhere, ['nada'], 2],
    [nowhere, ['--nada'], 2],
    [nowhere, ['accounts'], 1],
    [{ PORT: 'x' }, ['accounts'], 2],
  ] as const) {
    const { code, said } = await admin(env, ...args);
    assert.equal(code, expected, said);
    assert.doesNotMatch(said, /^ +at /m);
  }
});
