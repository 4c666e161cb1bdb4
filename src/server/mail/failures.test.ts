import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { engines, Forum } from '../../../test/forum/forum.ts';
import { ForumClient } from '../../../test/forum/forum-client.ts';
import { MailServer } from '../../../test/mail/mail-server.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { NotificationSettings } from '../../shared/notification-settings.ts';
import { sendMails } from './send-mails.ts';
import { mailInOneProcess, startMailing } from './start-mailing.ts';

const minuteMs = 60_000;

test('sends nothing while nothing can be stored, since it would be sent again and again', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', server.settings);
  await forum.person('Ana');
  const { db } = forum.services;
  // Fails like a full disk.
  await sql`create trigger full before update on mails begin select raise(abort, 'full'); end`.execute(
    db,
  );
  for (let i = 0; i < 2; i++) await assert.rejects(mailInOneProcess(forum.services, false), /full/);
  assert.deepEqual(server.take(), []);
  await sql`drop trigger full`.execute(db);
  for (let i = 0; i < 2; i++) await mailInOneProcess(forum.services, false);
  assert.equal(server.take().length, 1);
});

for (const engine of engines) {
  test(`a mail that another process has claimed is left to it (${engine})`, async () => {
    await using server = await MailServer.start();
    await using forum = await Forum.start(engine, server.settings);
    await forum.person('Ana');
    // Two processes that both believe they hold the lock.
    const confirmLock = async () => {};
    await Promise.all([sendMails(forum.services, confirmLock), sendMails(forum.services, confirmLock)]);
    assert.equal(server.take().length, 1);
  });
}

test('a refusal of the sender is not shown as one of the address, and the log has no address', async () => {
  await using server = await MailServer.start();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  await using forum = await Forum.start('sqlite', server.settings, { now });
  const { email, token } = await forum.person('Ana');
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => lines.push(line) };
  const problem = async () => {
    const found = await forum.json<NotificationSettings>('GET', apiRoutes.notificationSettings, {
      token,
    });
    return found.email?.problem;
  };
  for (const [code, text] of [
    [554, `5.7.1 <${email}>: Relay access denied`],
    [550, '5.1.8 Sender address rejected'],
    [550, '5.4.5 Daily sending limit exceeded'],
  ] as const) {
    server.refuse = () => ({ code, text });
    await mailInOneProcess({ ...forum.services, log }, false);
    assert.equal(await problem(), null, text);
    aheadMs += 10 * minuteMs;
  }
  server.refuse = () => ({ code: 421, text: `4.7.0 <${email}>: wait` });
  await assert.rejects(mailInOneProcess({ ...forum.services, log }, false), (error) => {
    lines.push(error);
    return true;
  });
  const logged = inspect(lines, { depth: null });
  for (const cause of ['Relay access denied', 'Sender address', 'Daily sending', '421 4.7.0']) {
    assert.ok(logged.includes(cause), logged);
  }
  assert.ok(!logged.includes(email), logged);
  aheadMs += 60 * minuteMs;
  server.refuse = () => ({ code: 550, text: '5.1.1 no such user' });
  await mailInOneProcess({ ...forum.services, log }, false);
  assert.equal(await problem(), 'refused');
});

test('a server with mails that its mail server does not take ends cleanly', async () => {
  await using folder = await temporaryFolder('stall');
  const silent = net.createServer().listen(0, '127.0.0.1');
  const sockets = new Set<net.Socket>();
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await once(silent, 'listening');
  const { port } = silent.address() as net.AddressInfo;
  try {
    await using server = await ServerProcess.start({
      ...{ DATA_DIR: folder.path, SMTP_URL: `smtp://127.0.0.1:${port}` },
      ...{ MAIL_FROM: 'foro@foro.example', PUBLIC_URL: 'https://foro.example' },
    });
    // The first connection checks the mail server.
    if (sockets.size === 0) await once(silent, 'connection');
    await new ForumClient(server.url).person();
    while (sockets.size < 2) await once(silent, 'connection');
    assert.equal((await server.stop()).code, 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test('sends no further mail once it is to end', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', server.settings);
  for (let i = 0; i < 3; i++) await forum.person();
  let stop = async () => {};
  const ended = new Promise<void>((resolve) => {
    server.refuse = () => {
      resolve(stop());
      return undefined;
    };
  });
  stop = startMailing(forum.services, forum.app.log);
  await ended;
  assert.equal(server.take().length, 1);
});
