import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { onePixel } from '../../../../test/attacks/hostile-images.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../../test/forum/image-setups.ts';
import { MailServer } from '../../../../test/mail/mail-server.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { lockDataDir } from '../../database/sqlite/file-lock.ts';
import { DiskImageStore } from '../../images/stores/disk-image-store.ts';
import { dayMs } from '../../system/times.ts';
import { dailyName } from '../backups/backup-folder.ts';

const behindProxy = { PUBLIC_URL: 'https://foro.example', TRUST_PROXY: '1' };

for (const engine of engines) {
  test(`the doctor answers for settings, database, images, space and the last backup of a running forum (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const env = { ...forum.dataSettings, ...behindProxy };
    const { code, said } = await runCommand({ ...env, BACKUP_KEEP: '7' }, 'admin', 'doctor');
    assert.equal(code, 0, said);
    const lines = said.trim().split('\n');
    for (const [index, expected] of [
      /^ok +settings +the environment/,
      /^ok +database +the .*: (SQLite 3|PostgreSQL \d+)\.\d.*, \d{3}-[\w-]+/,
      /^ok +images +the folder \//,
      /^ok +space +\d+ MB are free in \//,
      /^ok +last backup +there is none yet: the server makes one within an hour$/,
      /^ok +version +\d+\.\d+\.\d+\S* of \d{4}-\d\d-\d\d/,
    ].entries()) {
      assert.match(lines[index] ?? '', expected);
    }
    assert.equal(lines.length, 6);
    const without = await runCommand(env, 'doctor', '--json');
    assert.equal(without.code, 1);
    assert.deepEqual(JSON.parse(without.said)[4], {
      subject: 'last backup',
      isOk: false,
      message: 'there is no daily backup: set BACKUP_KEEP=7',
    });
    await changeSettings(forum, { readers: 'members', contact: 'ana@foro.example' });
    for (const [url, expected] of [
      ['http://foro.example', /^not ok +database +only members read .* PUBLIC_URL is http: /m],
      ['http://localhost:3000', /^ok +database /m],
    ] as const) {
      const { said } = await runCommand({ ...forum.dataSettings, PUBLIC_URL: url }, 'doctor');
      assert.match(said, expected);
    }
  });
}

test('the doctor prints what must be fixed, without secrets, and exits with 1', async () => {
  await using folder = await temporaryFolder('doctor');
  const bucket = { S3_BUCKET: 'fotos', S3_ACCESS_KEY_ID: 'clave', S3_SECRET_ACCESS_KEY: 'secreto' };
  const env = {
    ...bucket,
    DATA_DIR: folder.path,
    DATABASE_URL: 'postgres://ana:contrasena@127.0.0.1:1/nada',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    PUBLIC_URL: 'https://foro.example',
    RATE_LIMITS: 'off',
  };
  const { code, said } = await runCommand(env, 'admin', 'doctor');
  assert.equal(code, 1, said);
  assert.match(said, /^not ok +settings .*TRUST_PROXY.*; RATE_LIMITS/m);
  for (const about of ['database', 'images'])
    assert.match(said, new RegExp(`^not ok +${about} +\\S`, 'm'));
  assert.doesNotMatch(said, /contrasena|secreto|^ +at /m);
});

test('the doctor says how many days the clock is ahead of what was written last', async () => {
  await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() - 3 * dayMs });
  await forum.person();
  const { said } = await runCommand(forum.dataSettings, 'doctor');
  assert.match(said, /^ok +database .*; its newest comment, session or decision is 3 days old: /m);
});

test('the doctor sends a test to each place that alerts are sent to when it is asked to, and says what came back', async (t) => {
  await using folder = await temporaryFolder('doctor');
  const mail = await MailServer.start();
  const posted: string[] = [];
  const sink = createServer(async (request, response) => {
    posted.push(`${request.method} ${await text(request)}`);
    response.writeHead(request.method === 'POST' ? 202 : 404).end();
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  t.after(async () => {
    sink.close();
    await mail.stop();
  });
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/secreto`;
  const env = { DATA_DIR: folder.path, BACKUP_KEEP: '7', ...mail.settings, TRUST_PROXY: '1' };
  const doctor = (more: Record<string, string>, ...options: string[]) =>
    runCommand({ ...env, ...more }, 'doctor', '--alert', ...options);
  const none = await doctor({});
  assert.equal(none.code, 0, none.said);
  for (const name of ['ALERT_TO', 'ALERT_URL', 'HEARTBEAT_URL'])
    assert.match(none.said, new RegExp(`^ok +${name} +not set$`, 'm'));

  const both = await doctor({ ALERT_TO: 'ana@foro.example', ALERT_URL: url, HEARTBEAT_URL: url });
  assert.equal(both.code, 1, both.said);
  assert.match(both.said, /^ok +ALERT_TO +the test was accepted: 250 /m);
  assert.match(both.said, /^ok +ALERT_URL +the test was accepted/m);
  assert.match(both.said, /^not ok +HEARTBEAT_URL +was not fetched: status 404$/m);
  assert.doesNotMatch(both.said, /secreto/);
  const [message] = mail.take();
  assert.deepEqual(message?.recipients, ['ana@foro.example']);
  assert.match(message?.text ?? '', /Esto es una prueba/);
  assert.match(posted.join(), /^POST .*Esto es una prueba.*"kind":"test".*,GET $/);

  mail.refuse = () => ({ code: 550, text: '5.7.1 no relaying' });
  const refused = await doctor({ ALERT_TO: 'ana@foro.example' }, '--json');
  assert.equal(refused.code, 1);
  const answers = JSON.parse(refused.said) as { subject: string; message: string }[];
  const answer = answers.find(({ subject }) => subject === 'ALERT_TO')?.message;
  assert.match(answer ?? '', /not accepted: .*550 5\.7\.1 no relaying/);
  assert.equal((await runCommand({ ...env, ALERT_URL: url }, 'doctor')).code, 0);
  assert.equal(posted.length, 2);
});

test('the doctor names the last backup of this site, or what is wrong with it', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '7' });
  const backups = path.join(forum.services.config.dataDir, 'backups');
  const finding = async () => {
    const { said } = await runCommand({ ...forum.dataSettings, BACKUP_KEEP: '7' }, 'doctor');
    return /^.* last backup +.*/m.exec(said)?.[0] ?? '';
  };
  await mkdir(backups, { recursive: true });
  for (const [ageDays, ending, expected] of [
    [3, '.tar', /^not ok +last backup +daily-\S+\.tar is old: /],
    [1, '.tar', /^ok +last backup +daily-\S+\.tar$/],
    [0, '.incomplete-2.tar', /^not ok .*daily-\S+ is incomplete: tertulia backup --verify /],
  ] as const) {
    const name = dailyName(forum.services, Date.now() - ageDays * dayMs).replace('.tar', ending);
    await writeFile(path.join(backups, name), '');
    assert.match(await finding(), expected);
  }
  await rm(backups, { recursive: true });
  await writeFile(backups, '');
  assert.match(await finding(), /^not ok +last backup +\/.*backups is a file/);
  await rm(backups);
  const ledger = path.join(backups, 'erased-accounts.txt');
  await mkdir(ledger, { recursive: true });
  assert.match(await finding(), RegExp(`^not ok +last backup +The ledger .* ${ledger}`));
});

test('the doctor distinguishes a running restore from a lost database', async () => {
  await using folder = await temporaryFolder('restoring');
  const env = { DATA_DIR: folder.path };
  await new DiskImageStore(path.join(folder.path, 'images')).write('a.full', Buffer.from('x'));
  await writeFile(path.join(folder.path, 'tertulia.db.part'), '');
  const unlock = lockDataDir(folder.path);
  const during = await runCommand(env, 'doctor');
  unlock();
  assert.match(during.said, /^not ok +database +a restore is running/m);
  assert.doesNotMatch(during.said, /lost/);
  const killed = await runCommand(env, 'doctor');
  assert.match(killed.said, /^not ok +database +There is no database .* lost/m);
});

test('the doctor counts files that the database does not know, and missing ones of images in use, when it is asked to, and deletes none', async () => {
  await using forum = await Forum.start('sqlite');
  const ana = await forum.person();
  assert.ok((await forum.upload(ana, await onePixel(8, 8).png().toBuffer())).ok);
  const { db, images } = forum.services;
  const doctor = () => runCommand(forum.dataSettings, 'doctor', '--images');
  const well = /^ok +images .*: none is missing, and the database knows all of them$/m;
  assert.match((await doctor()).said, well);
  const [key = ''] = await storedObjectKeys(forum);
  const bytes = await images.readWhole(key);
  await images.remove(key);
  assert.match((await doctor()).said, well, 'nothing uses the image yet');
  const { url } = await db.selectFrom('images').select('url').executeTakeFirstOrThrow();
  await db.updateTable('accounts').set({ img: url }).execute();
  const { code, said } = await doctor();
  const lost = `^not ok +images +1 file of an image in use .* for example ${key}\\.`;
  assert.match(said, RegExp(lost, 'm'));
  assert.equal(code, 1);
  await images.write(key, bytes, 'image/png');
  await images.write('x.full', Buffer.from('x'), 'image/png');
  const before = await storedObjectKeys(forum);
  assert.match((await doctor()).said, /^ok +images .*; 1 file is not .* x\.full\./m);
  assert.deepEqual(await storedObjectKeys(forum), before);
});
