import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { NotificationSettings } from '../../src/shared/notification-settings.ts';
import { Forum, type Person } from '../forum/forum.ts';
import { mailAll } from './mail-all.ts';
import { MailServer, type Received } from './mail-server.ts';

/** A forum that mails to a local server, for all tests of a file. Mails of earlier tests are not sent. */
export function mailedForum() {
  let server: MailServer;
  let forum: Forum;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;

  before(async () => {
    server = await MailServer.start();
    forum = await Forum.start('sqlite', { ...server.settings, TRUST_PROXY: '1' }, { now });
  });
  after(async () => {
    await forum?.stop();
    await server?.stop();
  });
  beforeEach(async () => {
    server.refuse = undefined;
    server.refusedCommand = 'RCPT TO';
    server.isDropping = false;
    const { db } = forum.services;
    await db.updateTable('mails').set({ next_try_at_ms: null }).execute();
    await db.updateTable('accounts').set({ mail_every: 'never' }).execute();
    server.take();
  });

  const sendAll = (isPass = false) => mailAll(forum.services, isPass);
  const confirm = (token: string) =>
    forum.call('POST', apiRoutes.confirmEmail, { body: { token } });
  const setEvery = ({ token }: Person, every: string) =>
    forum.json<NotificationSettings>('PATCH', apiRoutes.notificationSettings, {
      token,
      body: { email: { every } },
    });

  return {
    get server() {
      return server;
    },
    get forum() {
      return forum;
    },
    now,
    /** Advances the clock of the forum. */
    wait: (ms: number) => {
      aheadMs += ms;
    },
    /** Sets the clock of the forum. */
    setTime: (ms: number) => {
      aheadMs = ms - Date.now();
    },
    sendAll,
    /** Returns the mails sent now, after a pass for news. */
    sent: async () => {
      await sendAll(true);
      return server.take();
    },
    settingsOf: ({ token }: Person) =>
      forum.json<NotificationSettings>('GET', apiRoutes.notificationSettings, { token }),
    setEvery,
    confirm,
    /** Creates a person with a confirmed address who is sent news this often. */
    confirmed: async (name = 'Ana', every = 'hour') => {
      const person = await forum.person(name);
      await sendAll();
      const mail = server.take().find(({ recipients }) => recipients.includes(person.email));
      assert.equal((await confirm(tokenIn(mail))).status, 204);
      await setEvery(person, every);
      return person;
    },
    /** Creates a channel by another person, who replies to the first one there. */
    answered: async (person: Person, text = 'Yo también', name = 'Cine') => {
      const other = await forum.person('Bea');
      const { _id } = await forum.channel(other, name);
      await forum.comment(person, _id, 'Empiezo yo');
      await forum.comment(other, _id, text, { replyTo: 1 });
      await sendAll();
      server.take();
      return { channelId: _id, other };
    },
  };
}

/** The token of the link in a mail that confirms an address or sets a password. */
export function tokenIn(mail: Received | undefined): string {
  const [, token = ''] = /\/(?:confirm|password)#([\w-]+)/.exec(mail?.text ?? '') ?? [];
  return token;
}

export function header(mail: Received | undefined, name: string): string | undefined {
  return mail?.headers.find(({ key }) => key === name)?.value;
}
