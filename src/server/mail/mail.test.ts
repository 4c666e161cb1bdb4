import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { engines, expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { decided, staff, user } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { MailServer, type Received } from '../../../test/mail/mail-server.ts';
import type { SignedIn } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Subject } from '../../shared/moderation.ts';
import type { NotificationSettings } from '../../shared/notification-settings.ts';
import type { NotificationPage } from '../../shared/notifications.ts';
import { mailPasswordLink } from '../accounts/recovery/recover-by-mail.ts';
import { addressKey } from '../http/limits/concurrency.ts';
import { withSource } from '../operation/backups/backup-source.ts';
import { makeBackup } from '../operation/backups/make-backup.ts';
import { restoreBackup } from '../operation/backups/restore-backup.ts';
import { parseConfig } from '../system/settings/config.ts';
import { mailInOneProcess } from './start-mailing.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const home = '203.0.113.1';
const newPassword = 'otra contraseña larga';

for (const engine of engines) {
  describe(`mail (${engine})`, () => {
    let server: MailServer;
    let forum: Forum;
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const wait = (ms: number) => {
      aheadMs += ms;
    };
    const sendAll = (isPass = false) => mailInOneProcess(forum.services, isPass);
    /** Returns the mails sent now, after a pass for news. */
    const sent = async () => {
      await sendAll(true);
      return server.take();
    };
    const settingsOf = ({ token }: Person) =>
      forum.json<NotificationSettings>('GET', apiRoutes.notificationSettings, { token });
    const setEvery = ({ token }: Person, every: string) =>
      forum.json<NotificationSettings>('PATCH', apiRoutes.notificationSettings, {
        token,
        body: { email: { every } },
      });
    const confirm = (token: string) =>
      forum.call('POST', apiRoutes.confirmEmail, { body: { token } });
    const recover = (email: string, address = home) =>
      forum.call('POST', apiRoutes.recover, {
        headers: { 'x-forwarded-for': address },
        body: { email },
      });
    /** Requests a link, and waits until its mail is queued or certainly is not. */
    const recoverAndSend = async (email: string, count = 1) => {
      assert.equal((await recover(email)).status, 202);
      // Writes to one account run one after the other.
      await eventually('the mail with the link', async () => {
        await sendAll();
        return server.received.length >= count;
      });
      return server.take();
    };
    const setPassword = (mail: Received | undefined) =>
      forum.call('POST', apiRoutes.setPassword, {
        body: { token: tokenIn(mail), password: newPassword },
      });
    const changeEmail = ({ token, password }: Person, email: string) =>
      forum.json('PATCH', apiRoutes.me, { token, body: { email, currentPassword: password } });
    /** Creates a person with a confirmed address who is sent news this often. */
    const confirmed = async (name = 'Ana', every = 'hour') => {
      const person = await forum.person(name);
      await sendAll();
      const mail = server.take().find(({ recipients }) => recipients.includes(person.email));
      assert.equal((await confirm(tokenIn(mail))).status, 204);
      await setEvery(person, every);
      return person;
    };
    /** Creates a channel by another person, who replies to the first one there. */
    const answered = async (person: Person, text = 'Yo también', name = 'Cine') => {
      const other = await forum.person('Bea');
      const { _id } = await forum.channel(other, name);
      await forum.comment(person, _id, 'Empiezo yo');
      await forum.comment(other, _id, text, { replyTo: 1 });
      await sendAll();
      server.take();
      return { channelId: _id, other };
    };

    before(async () => {
      server = await MailServer.start();
      forum = await Forum.start(engine, { ...server.settings, TRUST_PROXY: '1' }, { now });
    });
    after(async () => {
      await forum?.stop();
      await server?.stop();
    });
    beforeEach(async () => {
      server.refuse = undefined;
      server.isDropping = false;
      // Do not mail people of earlier tests.
      const { db } = forum.services;
      await db.updateTable('mails').set({ next_try_at_ms: null }).execute();
      await db.updateTable('accounts').set({ mail_every: 'never' }).execute();
      server.take();
    });

    test('confirms an address with the link that sign-up sends, once', async () => {
      const ana = await forum.person('Ana');
      assert.deepEqual((await settingsOf(ana)).email, {
        confirmed: false,
        every: 'day',
        problem: null,
      });
      const [mail, ...others] = await sent();
      assert.deepEqual(others, []);
      assert.deepEqual(mail?.recipients, [ana.email]);
      assert.equal(mail?.from?.address, 'foro@foro.example');
      assert.equal(mail?.from?.name, 'tertulia');
      assert.equal(header(mail, 'auto-submitted'), 'auto-generated');
      assert.equal(header(mail, 'list-unsubscribe'), undefined);
      const token = tokenIn(mail);
      await expectProblem(await confirm(`${token}x`), 403, 'confirmation_dead');
      assert.equal((await confirm(token)).status, 204);
      assert.equal((await settingsOf(ana)).email?.confirmed, true);
      await expectProblem(await confirm(token), 403, 'confirmation_dead');
      assert.deepEqual(await sent(), []);
    });

    test('sends the link again, which replaces the former one, unless the address is confirmed', async () => {
      const ana = await forum.person('Ana');
      const again = () => forum.call('POST', apiRoutes.sendConfirmation, { token: ana.token });
      const [first] = await sent();
      assert.equal((await again()).status, 204);
      // The queued mail would have an invalid link.
      assert.equal((await again()).status, 204);
      const [second, ...others] = await sent();
      assert.deepEqual(others, []);
      await expectProblem(await confirm(tokenIn(first)), 403, 'confirmation_dead');
      assert.equal((await confirm(tokenIn(second))).status, 204);
      assert.equal((await again()).status, 204);
      assert.deepEqual(await sent(), []);
    });

    test('a link to confirm an address expires', async () => {
      await forum.person('Ana');
      const [mail] = await sent();
      wait(3 * dayMs);
      await expectProblem(await confirm(tokenIn(mail)), 403, 'confirmation_dead');
    });

    test('a changed address is unconfirmed, ends the links of the former one, and that one is told', async () => {
      const ana = await confirmed();
      const [recovery] = await recoverAndSend(ana.email);
      const former = ana.email;
      const changed = `nueva-${ana.email}`;
      await changeEmail(ana, changed);
      assert.equal((await settingsOf(ana)).email?.confirmed, false);
      const mails = await sent();
      const told = mails.find(({ recipients }) => recipients.includes(former));
      const asked = mails.find(({ recipients }) => recipients.includes(changed));
      assert.equal(mails.length, 2);
      assert.ok(told?.text && !told.text.includes(changed) && !told.html?.includes(changed));
      await expectProblem(await setPassword(recovery), 403, 'password_link_dead');
      await changeEmail(ana, `otra-${former}`);
      await expectProblem(await confirm(tokenIn(asked)), 403, 'confirmation_dead');
      // The second address was never confirmed.
      assert.deepEqual(
        (await sent()).map(({ recipients }) => recipients),
        [[`otra-${former}`]],
      );
    });

    test('sends a link to a new password to a confirmed address only, and answers alike', async () => {
      const [ana, bea] = [await confirmed(), await forum.person('Bea')];
      await sent();
      for (const email of [bea.email, 'nadie@ejemplo.es']) {
        assert.equal((await recover(email)).status, 202);
      }
      const mails = await recoverAndSend(ana.email.toUpperCase());
      assert.deepEqual(
        mails.map(({ recipients }) => recipients),
        [[ana.email]],
      );
      assert.equal((await setPassword(mails[0])).status, 204);
      await expectProblem(await setPassword(mails[0]), 403, 'password_link_dead');
      assert.equal((await forum.signIn(ana.email, newPassword)).status, 200);
    });

    test('links to a new password expire one by one, and the first one used ends the others', async () => {
      const ana = await confirmed();
      const [first] = await recoverAndSend(ana.email);
      wait(20 * minuteMs);
      const [second] = await recoverAndSend(ana.email);
      const [third] = await recoverAndSend(ana.email);
      wait(10 * minuteMs);
      await expectProblem(await setPassword(first), 403, 'password_link_dead');
      assert.equal((await setPassword(second)).status, 204);
      await expectProblem(await setPassword(third), 403, 'password_link_dead');
    });

    test('a stranger who asks for links neither ends those of the owner nor uses up the mails of the day, and an account gets twenty', async () => {
      const ana = await confirmed();
      for (let i = 0; i < 13; i++) await recover(ana.email, `2001:db8::${i}`);
      const [first, ...others] = await recoverAndSend(ana.email, 4);
      assert.equal(others.length, 3);
      const [again] = await recoverAndSend(ana.email);
      assert.ok(again);
      for (let i = 1; i < 20; i++) {
        await mailPasswordLink(forum.services, ana.email, addressKey(`2001:db8:0:${i}::1`));
      }
      assert.equal((await sent()).length, 15);
      assert.equal((await setPassword(first)).status, 204);

      const { token } = (await (await forum.signIn(ana.email, newPassword)).json()) as SignedIn;
      const owner = { ...ana, token, password: newPassword };
      wait(hourMs);
      await answered(owner);
      wait(10 * minuteMs);
      assert.match((await sent())[0]?.subject ?? '', /te respondió/);
      await changeEmail(owner, `nueva-${ana.email}`);
      assert.equal((await sent()).length, 2);
    });

    test('sends news ten minutes after the first, once, with the headers that end them', async () => {
      const ana = await confirmed();
      wait(hourMs);
      const { channelId, other } = await answered(ana, 'Yo también\nfui');
      wait(9 * minuteMs);
      assert.deepEqual(await sent(), []);
      wait(minuteMs);
      const [mail, ...others] = await sent();
      assert.deepEqual(others, []);
      assert.match(mail?.subject ?? '', /Bea te respondió en Cine/);
      assert.ok(mail?.text?.includes('Yo también'));
      assert.ok(mail?.html?.includes(`/channel/${channelId}?n=2#comentario-2`));
      assert.equal(header(mail, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
      assert.equal(mail?.references, `<channel-${channelId}@foro.example>`);
      assert.match(mail?.messageId ?? '', /@foro\.example>$/);
      assert.deepEqual(await sent(), []);
      // News are sent at most once an hour.
      await forum.comment(other, channelId, 'Y otra cosa', { replyTo: 1 });
      wait(30 * minuteMs);
      assert.deepEqual(await sent(), []);
      wait(30 * minuteMs);
      const [next] = await sent();
      assert.ok(next?.text?.includes('Y otra cosa') && !next.text.includes('Yo también'));
    });

    test('sends daily news a day after the last ones', async () => {
      const ana = await confirmed('Ana', 'day');
      await answered(ana);
      wait(23 * hourMs);
      assert.deepEqual(await sent(), []);
      wait(hourMs);
      assert.equal((await sent()).length, 1);
    });

    test('judges what is new, visible and wanted when the mail is sent, although it was queued before', async () => {
      const moderator = await staff(forum, 'moderator');
      const decide = (subject: Subject, action: string) =>
        decided(forum, moderator, { subject, action });
      const put = ({ token }: Person, path: string, body: object) =>
        forum.json('PUT', path, { token, body });
      type Act = (ana: Person, channelId: string, other: Person) => Promise<unknown>;
      const acts: Record<string, Act> = {
        'the comment is read': (ana, channelId) =>
          put(ana, apiRoutes.reads, { channelId, number: 2 }),
        'the notification is seen': async (ana) => {
          const { token } = ana;
          const { data } = await forum.json<NotificationPage>('GET', apiRoutes.notifications, {
            token,
          });
          await put(ana, apiRoutes.notificationsSeen, { id: data[0]?.id });
        },
        'the comment is deleted': (_ana, channelId, { token }) =>
          forum.json('DELETE', apiRoutes.channelComment(channelId, 2), { token }),
        'the author is hidden': (_ana, _id, other) => decide(user(other), 'hideAll'),
        'the channel is hidden': (_ana, id) => decide({ kind: 'channel', id }, 'hide'),
        'the channel is silenced': async (ana, channelId) => {
          // Without a reading position, choosing a level would mark everything in the channel as read.
          await put(ana, apiRoutes.reads, { channelId, number: 1 });
          await put(ana, apiRoutes.level(channelId), { level: 'none' });
        },
        'the reader is hidden': (ana) => decide(user(ana), 'hideAll'),
        'the reader is suspended': (ana) => decide(user(ana), 'suspend'),
        'the account is disabled': ({ email }) => operate(forum, 'disable', email),
        'news are ended': (ana) => setEvery(ana, 'never'),
        'the account is to be erased': ({ token, password }) =>
          forum.json('DELETE', apiRoutes.me, {
            token,
            body: { currentPassword: password, content: 'erase' },
          }),
      };
      const told = await confirmed();
      await answered(told);
      const others: { title: string; ana: Person; change: () => Promise<unknown> }[] = [];
      for (const [title, act] of Object.entries(acts)) {
        const ana = await confirmed();
        const { channelId, other } = await answered(ana);
        others.push({ title, ana, change: () => act(ana, channelId, other) });
      }
      wait(2 * hourMs);
      const asked: string[] = [];
      server.refuse = (recipient) => {
        asked.push(recipient);
        return { code: 450, text: 'later' };
      };
      await sendAll(true);
      for (const { ana, title } of others) assert.ok(asked.includes(ana.email), title);
      server.refuse = undefined;
      for (const { change } of others) await change();
      wait(hourMs);
      const recipients = (await sent()).flatMap((mail) => mail.recipients);
      for (const { ana, title } of others) assert.ok(!recipients.includes(ana.email), title);
      assert.ok(recipients.includes(told.email));
    });

    test('two processes that make the same pass send it once', async () => {
      const ana = await confirmed();
      await answered(ana);
      wait(2 * hourMs);
      if (engine === 'sqlite') {
        await Promise.all([sendAll(true), sendAll(true)]);
      } else {
        await using another = await forum.another();
        const { services } = another;
        await Promise.all([sendAll(true), mailInOneProcess({ ...services, now }, true)]);
      }
      assert.equal(server.take().length, 1);
      assert.deepEqual(await sent(), []);
    });

    test('sends a mail again with the same Message-ID after the connection was lost', async () => {
      await forum.person('Ana');
      server.isDropping = true;
      await assert.rejects(sendAll());
      server.isDropping = false;
      wait(minuteMs);
      await sendAll();
      const [lost, again, ...others] = server.take();
      assert.deepEqual(others, []);
      assert.ok(lost?.messageId);
      assert.equal(again?.messageId, lost.messageId);
      assert.equal(tokenIn(again), tokenIn(lost));
    });

    test('waits longer and longer for a server that does not take a mail now, and gives up after a day', async () => {
      const ana = await forum.person('Ana');
      let tries = 0;
      server.refuse = () => {
        tries++;
        return { code: 451, text: 'busy' };
      };
      for (let minute = 0; minute < 60; minute++) {
        await sendAll();
        wait(minuteMs);
      }
      assert.equal(tries, 6);
      server.refuse = undefined;
      wait(hourMs);
      assert.equal((await sent()).length, 1);
      assert.equal((await settingsOf(ana)).email?.problem, null);
      await forum.person('Bea');
      server.refuse = () => ({ code: 451, text: 'busy' });
      await sendAll();
      server.refuse = undefined;
      wait(dayMs);
      assert.deepEqual(await sent(), []);
    });

    test('stops after a refusal for good, and says so to the person', async () => {
      const ana = await confirmed();
      await answered(ana);
      wait(2 * hourMs);
      server.refuse = (recipient) =>
        recipient === ana.email ? { code: 550, text: 'no such user' } : undefined;
      await sendAll(true);
      assert.equal((await settingsOf(ana)).email?.problem, 'refused');
      wait(dayMs);
      server.refuse = undefined;
      assert.deepEqual(await sent(), []);
      assert.equal((await setEvery(ana, 'hour')).email?.problem, null);
    });

    test('a mail server that stalls delays no request', async () => {
      const silent = net.createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as net.AddressInfo;
      const connected = once(silent, 'connection');
      const mail = { ...forum.services.config.mail, host: '127.0.0.1', port, isTls: false };
      await forum.person('Ana');
      const config = { ...forum.services.config, mail } as typeof forum.services.config;
      const sending = mailInOneProcess({ ...forum.services, config }, false);
      const [socket] = (await connected) as [net.Socket];
      assert.equal((await forum.call('GET', apiRoutes.channels)).status, 200);
      await forum.person('Bea');
      socket.destroy();
      silent.close();
      await assert.rejects(sending);
    });

    test('writes to one recipient only, whatever an address, a name or a text looks like', async () => {
      for (const email of ['a@b.es, c@d.es', '"a b"@c.es', 'a@b.es>', 'sin-arroba']) {
        const ana = await forum.person('Ana', email);
        assert.deepEqual(await sent(), [], email);
        assert.equal((await settingsOf(ana)).email?.problem, 'refused', email);
      }
      const ana = await confirmed('Ana');
      await answered(ana, 'Hola\nBcc: otra@ejemplo.es', 'Cine\nBcc: otra@ejemplo.es\u202e');
      wait(2 * hourMs);
      const [mail] = await sent();
      assert.deepEqual(mail?.recipients, [ana.email]);
      assert.equal(header(mail, 'bcc'), undefined);
      const unicode = await forum.person('Eñe', `correo-${Date.now()}@mañana.example`);
      const [translated] = await sent();
      // The test server translates the domain back.
      assert.deepEqual(translated?.recipients, [unicode.email]);
      assert.match(header(translated, 'to') ?? '', /@xn--maana-pta\.example$/);
      assert.equal((await settingsOf(unicode)).email?.problem, null);
    });

    test('news of a thousand notifications are one mail', async () => {
      const ana = await confirmed();
      const { db } = forum.services;
      for (let channel = 0; channel < 12; channel++) {
        const { channelId } = await answered(ana, 'Yo también', `Canal ${channel}`);
        const actors = await db.selectFrom('accounts').select('id').limit(84).execute();
        await db
          .insertInto('notifications')
          .values(
            actors.map(({ id }) => ({
              ...{ account_id: ana.id, channel_id: channelId, number: 2, kind: 'mention' as const },
              ...{ actor_id: id, created_at_ms: now() },
            })),
          )
          .execute();
      }
      wait(2 * hourMs);
      const [mail, ...others] = await sent();
      assert.deepEqual(others, []);
      assert.match(mail?.subject ?? '', /24 avisos/);
      assert.equal(mail?.html?.match(/class="line"/g)?.length, 10);
      assert.match(mail?.text ?? '', /Ver 14 avisos más/);
      assert.equal(mail?.references, '<news@foro.example>');
    });

    test('an account is sent no news after nine mails of a day', async () => {
      const ana = await confirmed();
      const { channelId, other } = await answered(ana);
      const counts: number[] = [];
      for (let hour = 0; hour < 12; hour++) {
        wait(hourMs);
        counts.push((await sent()).length);
        await forum.comment(other, channelId, 'Otra cosa', { replyTo: 1 });
      }
      // One person has confirmed the address.
      assert.deepEqual(counts, [...Array(8).fill(1), ...Array(4).fill(0)]);
      wait(dayMs);
      assert.equal((await sent()).length, 1);
    });

    test('ends news by the link in a mail, with a button or the POST of a mail program', async () => {
      const ana = await confirmed();
      await answered(ana);
      wait(2 * hourMs);
      const [mail] = await sent();
      const url = /<(.*)>/.exec(header(mail, 'list-unsubscribe') ?? '')?.[1] ?? '';
      const path = new URL(url).pathname;
      await changeSettings(forum, { name: 'Barrio <3' });
      const asked = await forum.call('GET', path);
      await changeSettings(forum, {});
      assert.equal(asked.status, 200);
      assert.equal(asked.headers.get('cache-control'), 'private, no-store');
      const page = await asked.text();
      assert.match(page, /<form method="post">/);
      assert.match(page, /<header>.*Barrio &lt;3<.*<\/header>/);
      assert.doesNotMatch(page, /tertulia/);
      assert.equal((await settingsOf(ana)).email?.every, 'hour');
      assert.equal((await forum.call('POST', `${path.slice(0, -1)}`)).status, 404);
      for (let i = 0; i < 2; i++) {
        const ended = await forum.call('POST', path, {
          body: 'List-Unsubscribe=One-Click',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        assert.equal(ended.status, 200);
      }
      assert.equal((await settingsOf(ana)).email?.every, 'never');
      await expectProblem(await confirm(path.split('/').at(-1) ?? ''), 403, 'confirmation_dead');
    });

    test('a restored site sends nothing again that it had notifications of', async () => {
      const ana = await confirmed();
      const { channelId, other } = await answered(ana);
      await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-mail-'));
      const file = path.join(folder.path, 'backup.tar');
      await withSource(forum.services.config, (source) => makeBackup(source, file, async () => {}));
      const env = { ...server.settings, DATA_DIR: path.join(folder.path, 'data') };
      await restoreBackup(parseConfig(env), file, { keepSessions: true });
      await using restored = await Forum.start('sqlite', env, { now });
      wait(2 * hourMs);
      await mailInOneProcess(restored.services, true);
      assert.deepEqual(server.take(), []);
      await restored.comment(other, channelId, 'Después', { replyTo: 1 });
      wait(2 * hourMs);
      await mailInOneProcess(restored.services, true);
      const [mail, ...others] = server.take();
      assert.deepEqual(others, []);
      assert.ok(mail?.text?.includes('Después') && !mail.text.includes('Yo también'));
    });

    test('an erased account leaves nothing to be sent', async () => {
      const ana = await forum.person('Ana');
      const { db } = forum.services;
      await db.deleteFrom('sessions').where('account_id', '=', ana.id).execute();
      await db
        .updateTable('accounts')
        .set({ erased_at_ms: now(), disabled_at_ms: now() })
        .where('id', '=', ana.id)
        .execute();
      assert.deepEqual(await sent(), []);
    });
  });
}

test('stops at the limit of the site; what recovers access goes on the longest', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', { ...server.settings, MAIL_DAILY_LIMIT: '10' });
  const people = [];
  for (let i = 0; i < 10; i++) people.push(await forum.person('Ana'));
  await mailInOneProcess(forum.services, true);
  const mails = server.take();
  assert.equal(mails.length, 9);
  await forum.call('POST', apiRoutes.confirmEmail, { body: { token: tokenIn(mails[0]) } });
  const [recipient = ''] = mails[0]?.recipients ?? [];
  await forum.call('POST', apiRoutes.recover, { body: { email: recipient } });
  await eventually('the mail with the link', async () => {
    await mailInOneProcess(forum.services, true);
    return server.received.length > 0;
  });
  assert.deepEqual(server.take()[0]?.recipients, [recipient]);
});

test('the operator sends a mail at once, and sees how many wait', async () => {
  await using server = await MailServer.start();
  await using forum = await Forum.start('sqlite', { ...server.settings, METRICS: 'on' });
  assert.match(
    await operate(forum, 'mail-test', 'ana@ejemplo.es'),
    /^The mail server took the mail to ana@ejemplo\.es: 250 /,
  );
  assert.deepEqual(server.take()[0]?.recipients, ['ana@ejemplo.es']);
  await assert.rejects(operate(forum, 'mail-test', 'a@b.es, c@d.es'), /is not an e-mail address/);
  server.refuse = () => ({ code: 554, text: 'relaying denied' });
  await assert.rejects(operate(forum, 'mail-test', 'ana@ejemplo.es'), /relaying denied/);
  await forum.person('Ana');
  assert.match((await forum.metrics?.render()) ?? '', /^tertulia_mails_waiting 1$/m);
  await using without = await Forum.start('sqlite');
  await assert.rejects(operate(without, 'mail-test', 'ana@ejemplo.es'), /SMTP_URL is not set/);
});

test('shows nothing of mail without a mail server', async () => {
  await using forum = await Forum.start('sqlite');
  const ana = await forum.person('Ana');
  const { token } = ana;
  assert.deepEqual(await forum.json('GET', apiRoutes.notificationSettings, { token }), {
    email: null,
  });
  const body = { email: { every: 'day' } };
  for (const refused of [
    await forum.call('PATCH', apiRoutes.notificationSettings, { token, body }),
    await forum.call('POST', apiRoutes.sendConfirmation, { token }),
    await forum.call('POST', apiRoutes.recover, { body: { email: ana.email } }),
  ]) {
    await expectProblem(refused, 403, 'mail_unavailable');
  }
  const rows = await forum.services.db.selectFrom('mails').select('id').execute();
  assert.deepEqual(rows, []);
  assert.match(await (await forum.call('GET', '/recover')).text(), /"hasMail":false/);
});

function tokenIn(mail: Received | undefined): string {
  const [, token = ''] = /\/(?:confirm|password)#([\w-]+)/.exec(mail?.text ?? '') ?? [];
  return token;
}

function header(mail: Received | undefined, name: string): string | undefined {
  return mail?.headers.find(({ key }) => key === name)?.value;
}
