import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { mailAll } from '../../../../test/mail/mail-all.ts';
import { header, mailedForum } from '../../../../test/mail/mailed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { NotificationPage } from '../../../shared/notifications.ts';
import { withSource } from '../../operation/backups/backup-source.ts';
import { makeBackup } from '../../operation/backups/make-backup.ts';
import { restoreBackup } from '../../operation/backups/restore-backup.ts';
import { parseConfig } from '../../system/settings/config.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const site = mailedForum();
const { now, wait, sendAll, sent, settingsOf, setEvery, confirm, confirmed, answered } = site;

test('sends news ten minutes after the first, once, with the headers to unsubscribe', async () => {
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
  // News is sent at most once an hour.
  await site.forum.comment(other, channelId, 'Y otra cosa', { replyTo: 1 });
  wait(30 * minuteMs);
  assert.deepEqual(await sent(), []);
  wait(30 * minuteMs);
  const [next] = await sent();
  assert.ok(next?.text?.includes('Y otra cosa') && !next.text.includes('Yo también'));
});

test('judges what is new, visible and wanted when the mail is sent, not when it is queued', async () => {
  const moderator = await staff(site.forum, 'moderator');
  const decide = (subject: Subject, action: string) =>
    decided(site.forum, moderator, { subject, action });
  const put = ({ token }: Person, path: string, body: object) =>
    site.forum.json('PUT', path, { token, body });
  type Act = (ana: Person, channelId: string, other: Person) => Promise<unknown>;
  const acts: Record<string, Act> = {
    'the comment is read': (ana, channelId) => put(ana, apiRoutes.reads, { channelId, number: 2 }),
    'the notification is seen': async (ana) => {
      const { token } = ana;
      const { data } = await site.forum.json<NotificationPage>('GET', apiRoutes.notifications, {
        token,
      });
      await put(ana, apiRoutes.notificationsSeen, { id: data[0]?.id });
    },
    'the comment is deleted': (_ana, channelId, { token }) =>
      site.forum.json('DELETE', apiRoutes.channelComment(channelId, 2), { token }),
    'the author is hidden': (_ana, _id, other) => decide(user(other), 'hideAll'),
    'the channel is hidden': (_ana, id) => decide({ kind: 'channel', id }, 'hide'),
    'the channel is silenced': async (ana, channelId) => {
      // Without a reading position, choosing a level would mark everything in the channel as read.
      await put(ana, apiRoutes.reads, { channelId, number: 1 });
      await put(ana, apiRoutes.level(channelId), { level: 'none' });
    },
    'the reader is hidden': (ana) => decide(user(ana), 'hideAll'),
    'the reader is suspended': (ana) => decide(user(ana), 'suspend'),
    'the account is disabled': ({ email }) => operate(site.forum, 'disable', email),
    'news are ended': (ana) => setEvery(ana, 'never'),
    'the account is to be erased': ({ token, password }) =>
      site.forum.json('DELETE', apiRoutes.me, {
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
  site.server.refuse = (recipient) => {
    asked.push(recipient);
    return { code: 450, text: 'later' };
  };
  await sendAll(true);
  for (const { ana, title } of others) assert.ok(asked.includes(ana.email), title);
  site.server.refuse = undefined;
  for (const { change } of others) await change();
  wait(hourMs);
  // Hidden and suspended people are mailed that decision.
  const mails = (await sent()).filter(({ text }) => text?.includes('Yo también'));
  const recipients = mails.flatMap((mail) => mail.recipients);
  for (const { ana, title } of others) assert.ok(!recipients.includes(ana.email), title);
  assert.ok(recipients.includes(told.email));
});

test('two processes that make the same pass send it once', async () => {
  const ana = await confirmed();
  await answered(ana);
  wait(2 * hourMs);
  await Promise.all([sendAll(true), sendAll(true)]);
  assert.equal(site.server.take().length, 1);
  assert.deepEqual(await sent(), []);
});

test('sends one mail for hundreds of notifications, with a line for each of ten channels', async () => {
  const ana = await confirmed();
  const { db } = site.forum.services;
  const actors = await db.selectFrom('accounts').select('id').limit(20).execute();
  const common = { account_id: ana.id, number: 2, kind: 'mention' as const };
  for (let channel = 0; channel < 12; channel++) {
    const { channelId } = await answered(ana, 'Yo también', `Canal ${channel}`);
    const rows = actors.map(({ id }) => ({ ...common, channel_id: channelId, actor_id: id }));
    const values = rows.map((row) => ({ ...row, created_at_ms: now() }));
    await db.insertInto('notifications').values(values).execute();
  }
  wait(2 * hourMs);
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.match(mail?.subject ?? '', /24 avisos/);
  assert.equal(mail?.html?.match(/class="line"/g)?.length, 10);
  assert.match(mail?.text ?? '', /Ver 14 avisos más/);
  assert.equal(mail?.references, '<news@foro.example>');
});

test('an account is sent no news after nine mails in a day', async () => {
  const ana = await confirmed();
  const { channelId, other } = await answered(ana);
  const counts: number[] = [];
  for (let hour = 0; hour < 12; hour++) {
    wait(hourMs);
    counts.push((await sent()).length);
    await site.forum.comment(other, channelId, 'Otra cosa', { replyTo: 1 });
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
  await changeSettings(site.forum, { name: 'Barrio <3' });
  const asked = await site.forum.call('GET', path);
  await changeSettings(site.forum, {});
  assert.equal(asked.status, 200);
  assert.equal(asked.headers.get('cache-control'), 'private, no-store');
  const page = await asked.text();
  assert.match(page, /<form method="post">/);
  assert.match(page, /<header>.*Barrio &lt;3<.*<\/header>/);
  assert.doesNotMatch(page, /tertulia/);
  assert.equal((await settingsOf(ana)).email?.every, 'hour');
  assert.equal((await site.forum.call('POST', `${path.slice(0, -1)}`)).status, 404);
  for (let i = 0; i < 2; i++) {
    const ended = await site.forum.call('POST', path, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(ended.status, 200);
  }
  assert.equal((await settingsOf(ana)).email?.every, 'never');
  await expectProblem(await confirm(path.split('/').at(-1) ?? ''), 403, 'confirmation_dead');
});

test('a restored site sends no mail about notifications and decisions that the backup contains', async () => {
  const ana = await confirmed();
  const { channelId, other } = await answered(ana);
  const eva = await staff(site.forum, 'moderator');
  await decided(site.forum, eva, { subject: user(ana), action: 'silence', days: 1 });
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-mail-'));
  const file = path.join(folder.path, 'backup.tar');
  await withSource(site.forum.services.config, (source) =>
    makeBackup(source, file, async () => {}),
  );
  const env = { ...site.server.settings, DATA_DIR: path.join(folder.path, 'data') };
  await restoreBackup(parseConfig(env), file, { keepSessions: true });
  await using restored = await Forum.start('sqlite', env, { now });
  wait(2 * hourMs);
  await mailAll(restored.services, true);
  assert.deepEqual(site.server.take(), []);
  await restored.comment(other, channelId, 'Después', { replyTo: 1 });
  wait(2 * hourMs);
  await mailAll(restored.services, true);
  const [mail, ...others] = site.server.take();
  assert.deepEqual(others, []);
  assert.ok(mail?.text?.includes('Después') && !/Yo también|Quienes moderan/.test(mail.text));
});
