import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { changeValues } from '../../../../test/change-values.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { mailAll } from '../../../../test/mail/mail-all.ts';
import { MailServer } from '../../../../test/mail/mail-server.ts';
import { openDatabase } from '../../database/engine.ts';
import { reserve } from '../../system/disk-reserve.ts';
import { LoggedErrors } from './logged-errors.ts';
import { alertCheck, sendHeartbeat } from './start-alerts.ts';

const minuteMs = 60_000;
const posted: Record<string, string>[] = [];
let status = 200;
let heartbeats = 0;
const endpoint = createServer(async (request, response) => {
  const body = await text(request);
  if (request.method === 'GET') heartbeats++;
  else posted.push(JSON.parse(body));
  response.writeHead(status, { location: '/elsewhere' }).end();
}).listen(0, '127.0.0.1');
await once(endpoint, 'listening');
after(() => endpoint.close());
const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/secreto`;

/** @param options.isDatabaseAway whether the checks have a database that does not answer, while the site has its own */
async function start(env: Record<string, string> = {}, { isDatabaseAway = false } = {}) {
  posted.length = 0;
  status = 200;
  const mail = await MailServer.start();
  let aheadMs = 0;
  const startMs = Date.now();
  const now = () => startMs + aheadMs;
  const settings = { ...mail.settings, ALERT_TO: 'ana@ejemplo.es', ALERT_URL: url, ...env };
  const forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent', ...settings }, { now });
  const lines: unknown[] = [];
  const errors = new LoggedErrors();
  const log = {
    warn: (...line: unknown[]) => void lines.push(...line),
    error: (...line: unknown[]) => {
      lines.push(...line);
      errors.count++;
    },
  };
  const away = openDatabase(forum.services.config);
  await sql`select 1`.execute(away);
  await away.destroy();
  const services = isDatabaseAway ? { ...forum.services, db: away } : forum.services;
  const check = alertCheck(services, log, errors);
  return {
    forum,
    mail,
    errors,
    lines,
    log,
    /** Advances the clock, then checks. @returns the kinds and types that were posted */
    check: async (laterMs = 0) => {
      aheadMs += laterMs;
      await check();
      return posted.splice(0).map(({ kind, type }) => `${kind} ${type}`);
    },
    [Symbol.asyncDispose]: async () => {
      await forum.stop().finally(() => mail.stop());
    },
  };
}

test('an alert arrives by mail and by POST, from one of several servers, once an hour while it lasts, and once when it is over', async () => {
  await using site = await start();
  const checkOfOther = alertCheck(site.forum.services, site.log, site.errors);
  changeValues(reserve, { bytes: 1e18, share: 1 });
  assert.deepEqual(await site.check(), ['disk failure']);
  assert.deepEqual(site.mail.take()[0]?.recipients, ['ana@ejemplo.es']);
  await checkOfOther();
  assert.deepEqual(posted, []);
  assert.deepEqual(await site.check(59 * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['disk failure']);
  Object.assign(reserve, { bytes: 0 });
  assert.deepEqual(await site.check(minuteMs), ['disk success']);
  assert.deepEqual(await site.check(minuteMs), []);
});

test('a backup that is incomplete, or older than two days, raises an alert', async () => {
  await using site = await start({ BACKUP_KEEP: '1' });
  const { config, siteIdentity, now } = site.forum.services;
  const folder = path.join(config.dataDir, 'backups');
  await mkdir(folder, { recursive: true });
  const name = `daily-${new Date(now()).toISOString().replace(/[:.]/g, '-')}-${siteIdentity}`;
  const incomplete = path.join(folder, `${name}.incomplete-2.tar`);
  await writeFile(incomplete, '');
  assert.deepEqual(await site.check(), ['backup failure']);
  await rm(incomplete);
  await writeFile(path.join(folder, `${name}.tar`), '');
  assert.deepEqual(await site.check(), ['backup success']);
  assert.deepEqual(await site.check(49 * 60 * minuteMs), ['backup failure']);
});

test('mail that waits for an hour and cases that wait for a day raise alerts', async () => {
  await using site = await start();
  const ana = await site.forum.person('Ana');
  assert.deepEqual(await site.check(59 * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['mail failure']);
  await site.forum.services.db.deleteFrom('mails').execute();
  assert.deepEqual(await site.check(), ['mail success']);
  const waiting = { disabled_at_ms: Date.now(), admission: 'pending' as const };
  await site.forum.services.db
    .updateTable('accounts')
    .set(waiting)
    .where('id', '=', ana.id)
    .execute();
  assert.deepEqual(await site.check((23 * 60 - 1) * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['cases failure']);
});

test('mail that waits because one mailbox is full raises no alert while others are sent, and that of several does', async () => {
  await using site = await start();
  const people = [];
  for (let i = 0; i < 4; i++) people.push(await site.forum.person());
  const isFull = new Set([people[0]?.email]);
  site.mail.refuse = (recipient) =>
    isFull.has(recipient) ? { code: 452, text: '4.2.2 over quota' } : undefined;
  await mailAll(site.forum.services);
  assert.equal(site.mail.take().length, 3);
  assert.deepEqual(await site.check(60 * minuteMs), []);
  const { db } = site.forum.services;
  await db.updateTable('mails').set({ next_try_at_ms: 1 }).execute();
  assert.deepEqual(await site.check(), ['mail failure']);
});

test('several confirmed addresses that are refused raise an alert, one or two do not', async () => {
  await using site = await start();
  const { services } = site.forum;
  const people = [];
  for (let i = 0; i < 4; i++) people.push(await site.forum.person());
  const unconfirmed = people.pop();
  await services.db
    .updateTable('accounts')
    .set({ email_confirmed_at_ms: 1 })
    .where('id', '!=', unconfirmed?.id ?? '')
    .execute();
  const refused = new Set([unconfirmed, people[0], people[1]].map((one) => one?.email));
  site.mail.refuse = (recipient) =>
    refused.has(recipient) ? { code: 550, text: '5.1.1 User unknown' } : undefined;
  // The links to confirm addresses are the first mails.
  await mailAll(services);
  assert.deepEqual(await site.check(), []);
  await services.db.updateTable('mails').set({ next_try_at_ms: 1 }).execute();
  refused.add(people[2]?.email);
  await mailAll(services);
  assert.deepEqual(await site.check(), ['addresses failure']);
  assert.match(site.mail.take().at(-1)?.text ?? '', /rechazado en la última hora: 3\./);
  // A later refusal of the same addresses is no news.
  assert.deepEqual(await site.check(60 * minuteMs), ['addresses success']);
});

test('a database that is unavailable for ten minutes raises an alert, without its lock', async () => {
  await using site = await start({}, { isDatabaseAway: true });
  assert.deepEqual(await site.check(), []);
  assert.deepEqual(await site.check(9 * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['database failure']);
  assert.deepEqual(await site.check(minuteMs), []);
  assert.equal(site.mail.take().length, 1);
});

test('an alert leaves once when neither its lock can be taken nor what was sent can be stored', async () => {
  await using site = await start();
  const { dataDir } = site.forum.services.config;
  await mkdir(path.join(dataDir, 'alerts.lock'));
  await writeFile(path.join(dataDir, 'alerts'), '');
  changeValues(reserve, { bytes: 1e18, share: 1 });
  const sent = [];
  for (let checks = 0; checks < 10; checks++) sent.push(...(await site.check(minuteMs)));
  assert.deepEqual(sent, ['disk failure']);
  assert.deepEqual(await site.check(60 * minuteMs), ['disk failure']);
  Object.assign(reserve, { bytes: 0 });
  assert.deepEqual(await site.check(minuteMs), ['disk success']);
});

test('a full disk raises its alert while the database is away, and the database raises its own', async () => {
  await using site = await start({}, { isDatabaseAway: true });
  changeValues(reserve, { bytes: 1e18, share: 1 });
  assert.deepEqual(await site.check(), ['disk failure']);
  assert.deepEqual(await site.check(10 * minuteMs), ['database failure']);
});

test('a disk with room that refuses to be written raises an alert, which says why', async () => {
  await using site = await start();
  const probe = path.join(site.forum.services.config.dataDir, 'ready-check');
  await symlink('/dev/full', probe);
  assert.deepEqual(await site.check(), ['disk failure']);
  assert.match(site.mail.take()[0]?.text ?? '', /En DATA_DIR no se puede escribir \(ENOSPC\)/);
  assert.deepEqual(await site.check(), ['disk success']);
});

test('a bucket that fails for five minutes raises an alert with its code, and one that is restarted raises none', async (t) => {
  const bucket = await FaultyBucket.start();
  t.after(() => bucket.stop());
  await using site = await start(bucket.env);
  bucket.behaviour = 'error';
  assert.deepEqual(await site.check(), []);
  bucket.behaviour = 'normal';
  assert.deepEqual(await site.check(4 * minuteMs), []);
  bucket.behaviour = 'error';
  assert.deepEqual(await site.check(minuteMs), []);
  assert.deepEqual(await site.check(4 * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['images failure']);
  const said = site.mail.take()[0]?.text ?? '';
  assert.match(
    said,
    /^Falla desde hace 5 minutos\. El bucket de las imágenes falla \(InternalError\)/,
  );
  assert.doesNotMatch(said, /127\.0\.0\.1|clave|secreto/);
  bucket.behaviour = 'normal';
  assert.deepEqual(await site.check(minuteMs), ['images success']);
});

test('a folder of images that cannot be used raises an alert with the code of the error', async () => {
  await using site = await start();
  const images = path.join(site.forum.services.config.dataDir, 'images');
  await rm(images, { recursive: true, force: true });
  await writeFile(images, '');
  assert.deepEqual(await site.check(), []);
  assert.deepEqual(await site.check(5 * minuteMs), ['images failure']);
  const said = site.mail.take()[0]?.text ?? '';
  assert.match(said, /La carpeta de las imágenes, images en DATA_DIR, no se puede usar \(EEXIST\)/);
});

test('a check that cannot run hides no other, and raises the alert about errors', async () => {
  await using site = await start();
  const ana = await site.forum.person('Ana');
  const { db } = site.forum.services;
  const waiting = { disabled_at_ms: Date.now(), admission: 'pending' as const };
  await db.updateTable('accounts').set(waiting).where('id', '=', ana.id).execute();
  await sql`alter table mails rename to moved_mails`.execute(db);
  assert.deepEqual(await site.check(24 * 60 * minuteMs), ['cases failure']);
  assert.deepEqual(await site.check(minuteMs), ['errors failure']);
});

test('errors in the log raise an alert, which ends after an hour without any', async () => {
  await using site = await start();
  site.errors.hooks.logMethod?.call({} as never, ['broken'], () => {}, 50);
  site.errors.hooks.logMethod?.call({} as never, ['slow'], () => {}, 40);
  assert.equal(site.errors.count, 1);
  assert.deepEqual(await site.check(), ['errors failure']);
  assert.deepEqual(await site.check(59 * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['errors success']);
});

test('push messages that are refused through a fault of the site raise an alert, which ends after three hours without any', async () => {
  await using site = await start();
  const { pushRefusals } = site.forum.services;
  Object.assign(pushRefusals, { count: 2, last: 'fcm.googleapis.com, status 403' });
  assert.deepEqual(await site.check(), ['push failure']);
  assert.match(
    site.mail.take()[0]?.text ?? '',
    /2 \(el último: fcm\.googleapis\.com, status 403\)/,
  );
  assert.deepEqual(await site.check(179 * minuteMs), []);
  assert.deepEqual(await site.check(minuteMs), ['push success']);
});

test('an alert that nobody accepts is sent again, redirects are not followed, and no address is logged', async () => {
  await using site = await start();
  site.mail.refuse = () => ({ code: 550, text: 'no ana@ejemplo.es here' });
  status = 302;
  site.errors.count = 1;
  assert.deepEqual(await site.check(), ['errors failure']);
  const logged = JSON.stringify(site.lines);
  assert.match(logged, /ALERT_TO.*550.*ALERT_URL: status 302|ALERT_URL: status 302.*ALERT_TO.*550/);
  assert.doesNotMatch(logged, /secreto|ejemplo\.es/);
  status = 200;
  assert.deepEqual(await site.check(minuteMs), ['errors failure']);
  assert.deepEqual(await site.check(minuteMs), []);
});

test('HEARTBEAT_URL is fetched only while all is well', async () => {
  await using site = await start();
  const log = { warn: (line: unknown) => void site.lines.push(line) };
  const beat = async () => {
    heartbeats = 0;
    await sendHeartbeat(site.forum.services, url, log);
    return heartbeats;
  };
  assert.equal(await beat(), 1);
  status = 500;
  assert.equal(await beat(), 1);
  assert.deepEqual(site.lines, ['HEARTBEAT_URL was not fetched: status 500']);
  changeValues(reserve, { bytes: 1e18, share: 1 });
  assert.equal(await beat(), 0);
});
