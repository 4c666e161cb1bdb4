import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Forum } from '../../../test/forum/forum.ts';
import { ForumClient } from '../../../test/forum/forum-client.ts';
import { mailAll } from '../../../test/mail/mail-all.ts';
import { MailServer } from '../../../test/mail/mail-server.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { mailMakers } from '../notifications/pass/start-telling.ts';
import { sendMails } from './send-mails.ts';
import { startMailing } from './start-mailing.ts';

test('sends nothing while nothing can be stored, since it would be sent again and again', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', server.settings);
  await forum.person('Ana');
  const { db } = forum.services;
  // Fails like a full disk.
  await sql`create trigger full before update on mails begin select raise(abort, 'full'); end`.execute(
    db,
  );
  for (let i = 0; i < 2; i++) await assert.rejects(mailAll(forum.services), /full/);
  assert.deepEqual(server.take(), []);
  await sql`drop trigger full`.execute(db);
  for (let i = 0; i < 2; i++) await mailAll(forum.services);
  assert.equal(server.take().length, 1);
});

test('a mail that another process has claimed is left to it', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', server.settings);
  await forum.person('Ana');
  // Two processes that both believe they hold the lock, and have found the same mail.
  const { promise, resolve } = Promise.withResolvers<void>();
  let found = 0;
  const confirmLock = async () => {
    if (++found === 2) resolve();
    await promise;
  };
  const send = () => sendMails({ ...forum.services, makers: mailMakers }, confirmLock);
  assert.deepEqual((await Promise.all([send(), send()])).sort(), [0, 1]);
  assert.equal(server.take().length, 1);
});

test('a mail server that does not respond delays neither requests nor the end of the process', async () => {
  await using folder = await temporaryFolder('stall');
  const silent = net.createServer().listen(0, '127.0.0.1');
  const sockets = new Set<net.Socket>();
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await once(silent, 'listening');
  const { port } = silent.address() as net.AddressInfo;
  try {
    await using server = await ServerProcess.start({
      DATA_DIR: folder.path,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'foro@foro.example',
      PUBLIC_URL: 'https://foro.example',
    });
    // The first connection checks the mail server.
    if (sockets.size === 0) await once(silent, 'connection');
    await new ForumClient(server.url).person();
    while (sockets.size < 2) await once(silent, 'connection');
    await new ForumClient(server.url).person();
    assert.equal((await server.stop()).code, 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

test('sends no further mail once it is told to end', async () => {
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
  stop = startMailing({ ...forum.services, makers: mailMakers }, forum.app.log);
  await ended;
  assert.equal(server.take().length, 1);
});
