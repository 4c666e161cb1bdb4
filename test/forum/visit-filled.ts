import assert from 'node:assert/strict';
import { mailPasswordLink } from '../../src/server/accounts/recovery/recover-by-mail.ts';
import { findAndExtendSession } from '../../src/server/accounts/sessions/session-guard.ts';
import { admit, refuse, unrefuse } from '../../src/server/accounts/standing/admission.ts';
import { sweepImages } from '../../src/server/images/sweep-images.ts';
import { confirmEmail, resendConfirmation } from '../../src/server/mail/confirm-email.ts';
import { countWaiting } from '../../src/server/mail/queue-mail.ts';
import { findUnsubscriber, unsubscribeToken } from '../../src/server/mail/unsubscribe.ts';
import { formatNotificationCursor } from '../../src/server/notifications/notification-cursor.ts';
import { tellInOneProcess } from '../../src/server/notifications/pass/start-telling.ts';
import { setEvery } from '../../src/server/notifications/settings-routes.ts';
import { eraseExpired } from '../../src/server/operation/housekeeping/erase-expired.ts';
import { runHousekeeping } from '../../src/server/operation/housekeeping/housekeeping.ts';
import { feedPaths } from '../../src/server/pages/syndication/head-links.ts';
import { completeLedger } from '../../src/server/privacy/erasure/complete-ledger.ts';
import { eraseDueAccounts } from '../../src/server/privacy/erasure/erase-account.ts';
import {
  addSubscription,
  changePushSettings,
  readPushSettings,
  removeSubscription,
} from '../../src/server/push/subscriptions.ts';
import { buildIndex } from '../../src/server/search-index/build-index.ts';
import { readSettings } from '../../src/server/site-settings/site-settings.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import type { User } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { Decision, Receipt } from '../../src/shared/moderation.ts';
import type { PendingPost } from '../../src/shared/pending.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { MadeInvitation } from '../../src/shared/site-settings.ts';
import { mailAll } from '../mail/mail-all.ts';
import { MailServer } from '../mail/mail-server.ts';
import { PushService } from '../push/push-service.ts';
import { changeSettings, reviewFirstPosts } from './change-settings.ts';
import { type Filling, filled } from './fill-forum.ts';
import { filledPassword as password } from './fill-tables.ts';
import type { Forum, Person } from './forum.ts';
import { makeStaff } from './make-staff.ts';
import { hideContent } from './moderators.ts';
import { passwordToken } from './operator.ts';

const dayMs = 86_400_000;

/** Runs queries that the script does not: long channels, deep pages and sweeps. */
export async function visitFilled(forum: Forum, { channels, longest }: Filling): Promise<void> {
  const { token } = await forum.newSession({ email: filled.email(7), password });
  const get = (url: string) => forum.json('GET', url, { token });
  const long = filled.channelId(0);
  const middle = longest / 2;
  const deepChannel = filled.channelId(channels / 2);
  const deep = `4_${deepChannel}`;
  const seen = (number: number) => `after=${commentId(long, number)}`;

  for (const url of [
    ...[pageRoutes.home, feedPaths.channels, feedPaths.channel(long)],
    ...['/sitemap.xml', `/sitemap.xml?after=${deepChannel}`],
  ]) {
    assert.equal((await forum.call('GET', url)).status, 200);
  }
  // This image has a row but no stored object.
  assert.equal((await forum.call('GET', apiRoutes.storedFile('images/foto-77.jpg'))).status, 404);
  for (const url of [
    apiRoutes.channels,
    `${apiRoutes.channels}?after=${deep}`,
    apiRoutes.channel(long),
    apiRoutes.channelComments(long),
    `${apiRoutes.channelComments(long)}?${seen(middle)}`,
    `${apiRoutes.channelComments(long)}?${seen(longest - 10)}`,
    `${apiRoutes.channelComments(long)}?before=${commentId(long, 2 * longest)}`,
    `${apiRoutes.channelComments(long)}?around=${middle}&limit=50`,
    apiRoutes.replies(long, middle),
    apiRoutes.thanks(long, middle),
    `${apiRoutes.thanks(long, middle)}?after=${forum.services.now()}_${filled.accountId(7)}`,
    apiRoutes.me,
    apiRoutes.documents,
    `${apiRoutes.documents}?q=fot&after=${forum.services.now()}_${long}-7`,
    `${apiRoutes.documents}?channel=${long}&after=${forum.services.now()}_${long}-7`,
    `${apiRoutes.channels}?sort=activity`,
    `${apiRoutes.channels}?sort=activity&after=activity_${forum.services.now()}_${deepChannel}`,
    `${apiRoutes.channels}?sort=new`,
    `${apiRoutes.channels}?sort=new&after=new_${deepChannel}`,
    apiRoutes.user(filled.accountId(7)),
    apiRoutes.userChannels(filled.accountId(7)),
    `${apiRoutes.userChannels(filled.accountId(7))}?after=new_${deepChannel}`,
    apiRoutes.userComments(filled.accountId(7)),
    `${apiRoutes.userComments(filled.accountId(7))}?after=${forum.services.now()}_${long}-7`,
    `${apiRoutes.users}?channel=${long}&prefix=vecina%201`,
    // With a hundred ids, PostgreSQL sometimes reads all ten thousand channels, which costs about as much.
    `${apiRoutes.news}?channels=${Array.from({ length: 50 }, (_, index) => filled.channelId(index))}`,
    apiRoutes.notifications,
    `${apiRoutes.notifications}?after=${formatNotificationCursor({ before: 1e14, seen: 1 })}`,
  ]) {
    await get(url);
  }
  await forum.json('PUT', apiRoutes.notificationsSeen, { token, body: { id: 5 } });
  await forum.json('PUT', apiRoutes.level(long), { token, body: { level: 'all' } });
  const reads = [0, 1, 2].map((index) => ({ channelId: filled.channelId(index), number: 5 }));
  await forum.json('PUT', apiRoutes.reads, { token, body: reads });
  await forum.json('PUT', apiRoutes.comment, {
    token,
    body: { id: long, comment: 'Hola', replyTo: middle },
  });
  await forum.json('PUT', apiRoutes.updateImage, { token, body: { img: '/default-avatar.svg' } });
  const link = await passwordToken(forum, filled.email(8));
  const body = { token: link, password };
  await forum.json('POST', apiRoutes.setPassword, { body });
  await buildIndex(forum.services, new AbortController().signal);
  await runHousekeeping(forum.services, forum.app.log);
  await visitMail(forum);
  await visitPush(forum);
  // Channels with hidden comments load their first comments with a different query.
  await hideContent(forum, commentId(long, 2));
  await get(apiRoutes.channels);
  await get(apiRoutes.channel(long));
  await moderate(forum, token);
  await reviewPendingPosts(forum);
  await invite(forum, token);
  await visitOwnContent(forum, { token, reader: await forum.person() });
  await exportAndErase(forum);
  await eraseExpired({ ...forum.services, now: () => forum.services.now() + 31 * dayMs });
  // The test checks the plans of the last call, when few rows have expired.
  await eraseExpired(forum.services);
  // Two days later the sweep erases the script's images.
  await sweepImages({ ...forum.services, now: () => Date.now() + 2 * 86_400_000 });
}

/** Confirms an address, recovers access, and sends news, among many mails. */
async function visitMail(forum: Forum): Promise<void> {
  await using server = await MailServer.start();
  const { mail, publicUrl } = parseConfig({ ...server.settings, MAIL_DAILY_LIMIT: '20' });
  const config = { ...forum.services.config, mail, publicUrl };
  // News is sent ten minutes after the first notification.
  const services = { ...forum.services, config, now: () => forum.services.now() + dayMs / 24 };
  await resendConfirmation(services, filled.accountId(11), false);
  await mailPasswordLink(services, filled.email(12), '203.0.113.1');
  await setEvery(services, filled.accountId(13), 'hour');
  await mailAll(services, true);
  const tokenOf = (kind: string) =>
    server.received
      .map(({ text }) => new RegExp(`/${kind}#([\\w-]+)`).exec(text ?? '')?.[1])
      .find((token) => token !== undefined);
  const [token, link] = [tokenOf('confirm'), tokenOf('password')];
  assert.ok(token && link && server.received.some(({ subject }) => subject?.includes('aviso')));
  await confirmEmail(services, token);
  const unsubscribing = await unsubscribeToken(services.db, filled.accountId(7));
  const unsubscriber = { id: filled.accountId(7), ended: 'news' };
  assert.deepEqual(await findUnsubscriber(services.db, unsubscribing), unsubscriber);
  await countWaiting(services.db);
  const { token: session } = (await (await forum.signIn(filled.email(14), password)).json()) as {
    token: string;
  };
  const body = { email: 'otra-14@ejemplo.es', currentPassword: password };
  await forum.json('PATCH', apiRoutes.me, { token: session, body });
}

/** Subscribes a browser, and pushes news to it, among many. */
async function visitPush(forum: Forum): Promise<void> {
  await using service = await PushService.start();
  const { services } = forum;
  const config = { ...services.config, publicUrl: 'https://foro.example' };
  const now = () => services.now() + dayMs / 24;
  const isPushService = () => true;
  const { db } = services;
  const id = filled.accountId(7);
  const { token } = await forum.newSession({ email: filled.email(7), password });
  const signedIn = await findAndExtendSession(db, token, services.now(), 30);
  assert.ok(signedIn);
  const session = { ...signedIn, deviceId: id };
  const { endpoint, keys } = service.subscribe();
  await addSubscription(services, session, { endpoint, ...keys });
  const subscription = db.updateTable('push_subscriptions').set({ pushed_notification_id: 0 });
  await subscription.where('device_id', '=', id).execute();
  await changePushSettings(services, id, { excerpts: true });
  await readPushSettings({ db, config }, session);
  await tellInOneProcess({ ...services, config, now, isPushService }, { isMailing: false });
  await removeSubscription(services, id, endpoint);
}

/** Changes, deletes and restores comments and channels, and thanks others, among many rows of each. */
async function visitOwnContent(
  forum: Forum,
  { token, reader }: { token: string; reader: Person },
): Promise<void> {
  const long = filled.channelId(0);
  const body = { id: long, comment: 'Hola', replyTo: 5 };
  const { number } = await forum.json<Comment>('PUT', apiRoutes.comment, { token, body });
  const { token: other } = reader;
  await forum.json('PUT', apiRoutes.thanks(long, number), { token: other });
  await forum.json('PUT', apiRoutes.comment, {
    token: other,
    body: { id: long, comment: 'Sí', replyTo: number },
  });
  await forum.json('GET', `${apiRoutes.mine(long)}?from=1&to=50`, { token });
  await forum.json('DELETE', apiRoutes.channelComment(long, number), { token });
  await forum.json('GET', apiRoutes.trash, { token });
  await forum.json('GET', `${apiRoutes.trash}?after=deleted_${forum.services.now()}_${long}-7`, {
    token,
  });
  await forum.json('POST', apiRoutes.restoreComment(long, number), { token });
  await forum.json('DELETE', apiRoutes.thanks(long, number), { token: other });
  await forum.edit({ token }, long, number, 'Adiós');
  await forum.json('DELETE', apiRoutes.channelComment(long, number), { token });
  const { _id } = await forum.channel(reader);
  await forum.json('PATCH', apiRoutes.channel(_id), {
    token: other,
    headers: { 'if-match': '"1"' },
    body: { name: 'Otro nombre' },
  });
  for (const [method, url] of [
    ['POST', apiRoutes.closeChannel(_id)],
    ['POST', apiRoutes.reopenChannel(_id)],
    ['DELETE', apiRoutes.channel(_id)],
    ['POST', apiRoutes.restoreChannel(_id)],
    ['DELETE', apiRoutes.channel(_id)],
  ] as const) {
    await forum.json(method, url, { token: other });
  }
}

/** Reports, decides, appeals, and reads the lists of reports, decisions and appeals, among many decisions and cases. */
async function moderate(forum: Forum, token: string): Promise<void> {
  const long = filled.channelId(0);
  const subjects = [
    { kind: 'comment', id: commentId(long, 12) },
    { kind: 'channel', id: long },
    { kind: 'user', id: filled.accountId(9) },
  ];
  const { token: staff } = await makeStaff(forum);
  for (const subject of subjects) {
    const body = { ...subject, reason: 'spam' };
    const { receipt } = await forum.json<Receipt>('POST', apiRoutes.reports, { token, body });
    await forum.json('POST', apiRoutes.reports, { body });
    await forum.json('GET', apiRoutes.report(receipt));
    await forum.json('GET', apiRoutes.ownReports, { token });
  }
  for (const subject of subjects) {
    const body = { subject, action: 'dismiss' };
    await forum.json('POST', apiRoutes.decisions, { token: staff, body });
  }
  const author = await forum.person();
  const { _id } = await forum.channel(author);
  const body = { subject: { kind: 'channel', id: _id }, action: 'hide', reason: 'No' };
  const { id } = await forum.json<Decision>('POST', apiRoutes.decisions, { token: staff, body });
  const text = { text: 'Sí' };
  await forum.json('POST', apiRoutes.appeal(id), { token: author.token, body: text });
  await forum.json('GET', apiRoutes.ownDecisions, { token: author.token });
  const undo = { token: staff, body: { reason: 'Me equivoqué' } };
  await forum.json('POST', apiRoutes.undoDecision(id), undo);
  const cursor = `after=${forum.services.now()}_${filled.accountId(100)}`;
  for (const url of [
    apiRoutes.queue,
    `${apiRoutes.queue}?after=1_${filled.accountId(100)}`,
    `${apiRoutes.queue}?state=decided`,
    `${apiRoutes.queue}?state=decided&after=${filled.accountId(100)}`,
    apiRoutes.members,
    `${apiRoutes.members}?${cursor}`,
    `${apiRoutes.members}?unapproved=1&${cursor}`,
    `${apiRoutes.members}?q=vecina&${cursor}`,
    apiRoutes.versions(long, 3),
    apiRoutes.news,
    apiRoutes.log,
    `${apiRoutes.log}?after=${filled.accountId(100)}`,
  ]) {
    await forum.json('GET', url, { token: staff });
  }
}

/** Admits people by invitation and on request, reads and changes the settings, and pins a channel. */
async function invite(forum: Forum, token: string): Promise<void> {
  const { services } = forum;
  const { token: admin } = await makeStaff(forum, 'admin');
  let { revision } = await readSettings(services.db);
  const settings = (body: object) =>
    forum.json('PATCH', apiRoutes.siteSettings, {
      token: admin,
      headers: { 'if-match': `"${revision++}"` },
      body,
    });
  const signUp = (more: object) =>
    forum.json<User>('POST', apiRoutes.signUp, {
      body: { name: 'Ana', email: `${revision}@ejemplo.es`, password, ...more },
    });
  const made = await forum.json<MadeInvitation>('POST', apiRoutes.invitations, { token, body: {} });
  await settings({ registration: 'invitation' });
  await signUp({ invitation: new URL(made.url).hash.slice(1) });
  await forum.json('GET', apiRoutes.invitations, { token });
  await forum.json('DELETE', apiRoutes.invitation(made.id), { token });
  await settings({ registration: 'request' });
  const { id, email } = await signUp({});
  assert.equal((await forum.signIn(email, password)).status, 403);
  await refuse(services.db, id, [id], services.now());
  assert.equal((await forum.signIn(email, password)).status, 403);
  await unrefuse(services.db, id, [id], services.now());
  await admit(services.db, id, services.now());
  await settings({ registration: 'open' });
  await forum.json('GET', apiRoutes.siteSettings, { token: admin });
  for (const pinned of [true, false]) {
    const channel = apiRoutes.channel(filled.channelId(0));
    await forum.json('PATCH', channel, { token: admin, body: { pinned } });
  }
  await forum.json('GET', apiRoutes.rules);
}

/** Sends a post to review for each reason, withdraws one, approves and rejects others, among many. */
async function reviewPendingPosts(forum: Forum): Promise<void> {
  await reviewFirstPosts(forum);
  const { token } = await forum.person();
  const { token: staff } = await makeStaff(forum);
  const put = (comment: string) =>
    forum.json<PendingPost>('PUT', apiRoutes.comment, {
      token,
      body: { id: filled.channelId(0), comment, replyTo: 5 },
    });
  const [one, two, three] = [await put('Uno'), await put('Dos'), await put('Tres')];
  const long = filled.channelId(0);
  for (const url of [apiRoutes.thanks(long, 5), apiRoutes.channelComments(long)])
    await forum.json('GET', url);
  const body = { name: 'Canal', description: 'Uno', cover: '/default-avatar.svg' };
  const channel = await forum.json<PendingPost>('POST', apiRoutes.channels, { token, body });
  await forum.json('GET', apiRoutes.pendingPosts, { token });
  await forum.json('DELETE', apiRoutes.pendingPost(one.id), { token });
  const asking = await forum.person();
  const pending = { admission: 'pending', disabled_at_ms: forum.services.now() } as const;
  const accounts = forum.services.db.updateTable('accounts').set(pending);
  await accounts.where('id', '=', asking.id).execute();
  for (const more of ['', `&after=1_${filled.accountId(100)}`]) {
    await forum.json('GET', `${apiRoutes.queue}?state=pending${more}`, { token: staff });
  }
  const decide = ({ kind, id }: { kind: string; id: string }, action: string) =>
    forum.call('POST', apiRoutes.decisions, {
      token: staff,
      body: { subject: { kind, id }, action, reason: 'No' },
    });
  const newcomer = { kind: 'user', id: asking.id };
  const { id } = (await (await decide(newcomer, 'reject')).json()) as Decision;
  const undo = { token: staff, body: { reason: 'Me equivoqué' } };
  await forum.json('POST', apiRoutes.undoDecision(id), undo);
  for (const pendingPost of [two, channel, newcomer]) {
    assert.equal((await decide(pendingPost, 'approve')).status, 201);
    assert.equal((await decide(pendingPost, 'approve')).status, 409);
  }
  // The account now has approved posts and is young, so its posts are checked for signals.
  await put('https://ejemplo.es/1 https://ejemplo.es/2 https://ejemplo.es/3');
  await forum.json('POST', apiRoutes.channels, { token, body });
  const all = await decide({ kind: 'user', id: filled.accountId(9) }, 'hideAll');
  await forum.json('POST', apiRoutes.undoDecision(((await all.json()) as Decision).id), undo);
  assert.equal((await decide(three, 'reject')).status, 201);
  await changeSettings(forum, {});
}

/** Exports two accounts with many comments, and erases each in a different way. */
async function exportAndErase(forum: Forum): Promise<void> {
  for (const [index, content] of (['anonymous', 'erase'] as const).entries()) {
    const { token } = await forum.newSession({ email: filled.email(20 + index), password });
    const exported = await forum.call('GET', apiRoutes.export, { token });
    await exported.arrayBuffer();
    const body = { currentPassword: password, content };
    await forum.json('DELETE', apiRoutes.me, { token, body });
    await forum.json('GET', apiRoutes.me, { token });
  }
  for (const days of [15, 16]) {
    await eraseDueAccounts({ ...forum.services, now: () => forum.services.now() + days * dayMs });
  }
  await completeLedger(forum.services.ledgerFolder, forum.services.db);
}
