import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { changeSettings, reviewFirstPosts } from '../../../test/forum/change-settings.ts';
import {
  type Filling,
  fillChannels,
  fillComments,
  fillDetails,
  filled,
  fillHistory,
  fillIndex,
  fillModeration,
  fillNotifications,
  fillPendingPosts,
} from '../../../test/forum/fill-forum.ts';
import { type Engine, engines, type Forum, type Person } from '../../../test/forum/forum.ts';
import { makeStaff } from '../../../test/forum/make-staff.ts';
import { operate, passwordToken } from '../../../test/forum/operator.ts';
import {
  complaintsOfPostgres,
  complaintsOfSqlite,
  openWatchedDatabase,
} from '../../../test/forum/query-plans.ts';
import { MailServer } from '../../../test/mail/mail-server.ts';
import { playScript } from '../../../test/script/play-script.ts';
import { firstDifference } from '../../../test/script/transcript.ts';
import type { User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import type { Decision, Receipt } from '../../shared/moderation.ts';
import type { PendingPost } from '../../shared/pending.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { MadeInvitation } from '../../shared/site-settings.ts';
import { hashPassword } from '../accounts/passwords/passwords.ts';
import { mailPasswordLink } from '../accounts/recovery/recover-by-mail.ts';
import { admit, refuse, unrefuse } from '../accounts/standing/admission.ts';
import { sweepImages } from '../images/sweep-images.ts';
import { confirmEmail, resendConfirmation } from '../mail/confirm-email.ts';
import { setEvery } from '../mail/notification-settings-routes.ts';
import { countWaiting } from '../mail/queue-mail.ts';
import { mailInOneProcess } from '../mail/start-mailing.ts';
import { findUnsubscriber, unsubscribeToken } from '../mail/unsubscribe.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';
import { runHousekeeping } from '../operation/housekeeping/housekeeping.ts';
import { eraseDueAccounts } from '../privacy/erasure/erase-account.ts';
import { completeLedger } from '../privacy/erasure/erasure-ledger.ts';
import { buildIndex } from '../search/index/build-index.ts';
import { writeState } from '../search/index/index-state.ts';
import { parseConfig } from '../system/settings/config.ts';
import { openDatabase } from './engine.ts';
import { readSettings } from './site-settings/site-settings.ts';

/** Queries that may read a whole table, with the reason. */
const inherent: { engine: Engine; sql: RegExp; why: string }[] = [
  ...engines.map((engine) => ({
    engine,
    sql: /^select "path_key", "content_hash" from "images"$|^\s+update channels set active_at_ms|^update sessions set id = /,
    why: 'migrations, which run once',
  })),
  {
    engine: 'postgres',
    sql: /^delete from "(unconfirmed_objects|orphaned_objects)" where /,
    why: 'the tables have few rows: images that are being stored or removed',
  },
  ...engines.map((engine) => ({
    engine,
    sql: /^select \* from "orphaned_objects"$/,
    why: 'reads all that is to be removed',
  })),
  ...engines.map((engine) => ({
    engine,
    sql: /^\s+insert into search_channels \(channel_id\)/,
    why: 'runs once, when the search index is created or is to be built again',
  })),
  ...engines.map((engine) => ({
    engine,
    sql: /^delete from "password_links" where "made_by" is not null/,
    why: 'the table has the links of the last half an hour, of which there are few',
  })),
  {
    engine: 'sqlite',
    sql: /^select exists \(select 1 from sqlite_schema /,
    why: 'reads the list of tables, of which there are some dozens',
  },
  {
    engine: 'sqlite',
    sql: /^select "doc" from "search_docs" order by "doc" (asc|desc) limit/,
    why: 'reads the lowest or highest rowid only',
  },
  {
    engine: 'postgres',
    sql: /^delete from "passkey_challenges" where "account_id" = /,
    why: 'reads the challenges of the last five minutes, which may be most of the table',
  },
  {
    engine: 'postgres',
    sql: /^((select \* from|update) "search_state"|select "secret" from "report_secret"|select "revision", "saved_at_ms", "settings" from "site_settings") /,
    why: 'the tables have few rows',
  },
  {
    engine: 'sqlite',
    sql: /^select "account_id", max\("number"\) as "newest"/,
    why: 'groups the newest thousand comments of one channel by author',
  },
  {
    engine: 'sqlite',
    sql: /^\s+select .* from \(\s+select \* from notifications where account_id = .* limit 1000\)/s,
    why: 'reads a subquery that is limited to the newest notifications of one account',
  },
  {
    engine: 'sqlite',
    sql: /^select "read"."channel_id"/,
    why: 'counts a subquery that is limited to a hundred rows',
  },
  {
    engine: 'sqlite',
    sql: /from "(sessions|devices)" where "account_id" = .* order by .*"last_used_at_ms" desc/,
    why: 'sorts the sessions of one account, of which there are two hundred at most',
  },
  {
    engine: 'sqlite',
    sql: /^insert into "(reading_positions|account_names|search_docs)"/,
    why: 'scans the rows that it inserts',
  },
  {
    engine: 'sqlite',
    sql: /^\s+select id, name from accounts\s+where id in/,
    why: 'reads subqueries that are limited to a thousand rows',
  },
  {
    engine: 'sqlite',
    sql: /^select .* from "accounts" where .* in \(select "account_id" from "account_names" /,
    why: 'sorts the accounts of at most a thousand words of names',
  },
  {
    engine: 'sqlite',
    sql: /from "reports" where "(case_id|id)" in .* order by/s,
    why: 'sorts the reports on the cases of one page',
  },
  {
    engine: 'sqlite',
    sql: /from "reports" .* where "reports"\."account_id" = .* order by "reports"\."id" desc limit/,
    why: 'sorts the reports by one account',
  },
  {
    engine: 'sqlite',
    sql: /from "?decision_accounts"?( as "about")? .* order by "?(decisions"?\."?|decision_)id"? desc limit/s,
    why: 'sorts the decisions that concern one account',
  },
  {
    engine: 'sqlite',
    sql: /^select word, id from \(/,
    why: 'reads subqueries that are limited to twenty rows',
  },
  {
    engine: 'sqlite',
    sql: /^\s+select \(select word from account_names/,
    why: 'reads a list of words that it is given',
  },
  {
    engine: 'sqlite',
    sql: /from "temp"\."search_words"/,
    why: 'reads words of the index in their order, as far as the limit',
  },
  {
    engine: 'sqlite',
    sql: /^select "newest"\."created_at_ms"/,
    why: 'scans a subquery that is limited to one page',
  },
  {
    engine: 'sqlite',
    sql: /^select \* from \(select "(account_id|number)"/,
    why: 'reads subqueries that are limited to ten rows each',
  },
  {
    engine: 'sqlite',
    sql: /^select \* from \(select (octet_length\(text\)|"visible_comments"\.\*)/,
    why: 'reads the first comments of each channel, as far as the limit',
  },
  {
    engine: 'sqlite',
    sql: /^select\s+\(select count\(\*\) from \(select id from cases /,
    why: 'counts subqueries that are limited to a thousand rows',
  },
  {
    engine: 'sqlite',
    sql: /^select\s+\(select count\(\*\) from \(select id from pending_posts /,
    why: 'counts subqueries that are limited to a thousand rows',
  },
  {
    engine: 'sqlite',
    sql: /^\s+(update channels\s+set comment_count|select id from channels where account_id in)/,
    why: 'groups the comments of the accounts that are hidden by their channels',
  },
  {
    engine: 'sqlite',
    sql: /^select "channel_id" from "comments" where "account_id" = \S+ union select/,
    why: 'groups the comments of an account that is erased by their channels',
  },
  {
    engine: 'sqlite',
    sql: /^select "id"(, "role")? from "accounts" where "?role"? <> /,
    why: 'reads the index of moderators and admins, of whom there are few',
  },
  {
    engine: 'sqlite',
    sql: /^select "decisions"\."id", "action", "until_ms", "reason" from "decision_accounts"/,
    why: 'sorts the decisions that concern one account',
  },
  {
    engine: 'postgres',
    sql: /^delete from "images" where "image_id" > /,
    why: 'tests 500 images: reading a small index whole costs less than so many look-ups',
  },
  {
    engine: 'postgres',
    sql: /^\s+(with hit as materialized|select \(select token from search_docs)/,
    why: 'runs with scans of whole tables disabled (search/query/find-docs.test.ts)',
  },
  {
    engine: 'postgres',
    sql: /^(select "(epoch|identity)" from|update) "site" /,
    why: 'the tables have one row each',
  },
  ...engines.map((engine) => ({
    engine,
    sql: /^\s+select id, mark, newest from/,
    why: 'looks at each account that may be sent news (mail/queue-news.test.ts)',
  })),
  {
    engine: 'sqlite',
    sql: /from "mails" where ("rank" in|"next_try_at_ms" is not null)/,
    why: 'reads the mails that wait, of which there are as many as the site sends in a day at most',
  },
  {
    engine: 'postgres',
    sql: /^\s+update channels\s+set comment_count/,
    why: 'reads the comments of a channel once for a decision about an account, when statistics say that few are visible',
  },
  {
    engine: 'postgres',
    sql: /^select "id" from "accounts" limit /,
    why: 'reads the first row only',
  },
];

/**
 * On PostgreSQL more rows than any query may read. SQLite's plans do not depend on the number of rows, so
 * it gets only the rows that are requested.
 */
const fillings: Record<Engine, Filling> = {
  sqlite: { accounts: 200, channels: 200, comments: 2000, longest: 400 },
  postgres: { accounts: 5000, channels: 5000, comments: 25_000, longest: 5000 },
};
const password = 'una contraseña: larga';
const dayMs = 86_400_000;

const transcripts: Parameters<typeof firstDifference>[0][] = [];

for (const engine of engines) {
  test(`no query reads or sorts a whole table (${engine})`, async (t) => {
    let watched: ReturnType<typeof openWatchedDatabase> | undefined;
    const { forum, entries } = await playScript(engine, 1, (config) => {
      watched = openWatchedDatabase(config);
      return { db: watched.db };
    });
    transcripts.push({ name: engine, entries });
    try {
      assert.ok(watched);
      const { db, asked } = watched;
      await fill(forum, fillings[engine]);
      await visitFilled(forum, fillings[engine]);
      t.diagnostic(`${asked.size} statements`);

      const complaints: Record<string, string[]> = {};
      for (const query of [...asked.values()]) {
        if (inherent.some((one) => one.engine === engine && one.sql.test(query.sql))) continue;
        const found = await (engine === 'sqlite' ? complaintsOfSqlite : complaintsOfPostgres)(
          db,
          query,
        );
        if (found.length > 0) complaints[query.sql] = found;
      }
      assert.deepEqual(complaints, {});
    } finally {
      await forum.stop();
    }
  });
}

test('both engines gave the same responses to the script', () => {
  const [first, second] = transcripts;
  assert.ok(first && second);
  assert.equal(firstDifference(first, second), undefined);
});

/** Runs queries that the script does not: long channels, deep pages and sweeps. */
async function visitFilled(forum: Forum, { channels, longest }: Filling): Promise<void> {
  const session = await forum.signIn(filled.email(7), password);
  const { token } = (await session.json()) as { token: string };
  const get = (url: string) => forum.json('GET', url, { token });
  const long = filled.channelId(0);
  const middle = longest / 2;
  const deepChannel = filled.channelId(channels / 2);
  const deep = `4_${deepChannel}`;
  const seen = (number: number) => `after=${commentId(long, number)}`;

  assert.equal((await forum.call('GET', pageRoutes.home)).status, 200);
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
    `${apiRoutes.notifications}?after=100_1`,
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
  // Channels with hidden comments load their first comments with a different query.
  await operate(forum, 'hide', commentId(long, 2));
  await get(apiRoutes.channels);
  await get(apiRoutes.channel(long));
  await buildIndex(forum.services, new AbortController().signal);
  await runHousekeeping(forum.services, forum.app.log);
  await visitMail(forum);
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
  await resendConfirmation(services, filled.accountId(11));
  await mailPasswordLink(services, filled.email(12), '203.0.113.1');
  await setEvery(services, filled.accountId(13), 'hour');
  await mailInOneProcess(services, true);
  const tokenOf = (kind: string) =>
    server.received
      .map(({ text }) => new RegExp(`/${kind}#([\\w-]+)`).exec(text ?? '')?.[1])
      .find((token) => token !== undefined);
  const [token, link] = [tokenOf('confirm'), tokenOf('password')];
  assert.ok(token && link && server.received.some(({ subject }) => subject?.includes('aviso')));
  await confirmEmail(services, token);
  const unsubscribing = await unsubscribeToken(services.db, filled.accountId(7));
  assert.equal(await findUnsubscriber(services.db, unsubscribing), filled.accountId(7));
  await countWaiting(services.db);
  const { token: session } = (await (await forum.signIn(filled.email(14), password)).json()) as {
    token: string;
  };
  const body = { email: 'otra-14@ejemplo.es', currentPassword: password };
  await forum.json('PATCH', apiRoutes.me, { token: session, body });
}

/** Changes, deletes and restores comments and channels, and thanks others, among many rows of each. */
async function visitOwnContent(
  forum: Forum,
  { token, reader }: { token: string; reader: Person },
): Promise<void> {
  const long = filled.channelId(0);
  const body = { id: long, comment: 'Hola', replyTo: 5, replyExcerpt: 'el jueves' };
  const { number } = await forum.json<Comment>('PUT', apiRoutes.comment, { token, body });
  const { token: other } = reader;
  await forum.json('PUT', apiRoutes.thanks(long, number), { token: other });
  await forum.json('PUT', apiRoutes.comment, {
    token: other,
    body: { id: long, comment: 'Sí', replyTo: number, replyExcerpt: 'Hola' },
  });
  await forum.json('GET', `${apiRoutes.thanked(long)}?from=1&to=50`, { token });
  await forum.json('DELETE', apiRoutes.channelComment(long, number), { token });
  await forum.json('GET', apiRoutes.trash, { token });
  await forum.json('GET', `${apiRoutes.trash}?after=deleted_${forum.services.now()}_${long}-7`, {
    token,
  });
  await forum.json('POST', apiRoutes.restoreComment(long, number), { token });
  await forum.json('DELETE', apiRoutes.thanks(long, number), { token: other });
  await forum.json('PATCH', apiRoutes.channelComment(long, number), {
    token,
    headers: { 'if-match': '"1"' },
    body: { comment: 'Adiós' },
  });
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
    `${apiRoutes.queue}?${cursor}`,
    `${apiRoutes.queue}?state=decided`,
    `${apiRoutes.queue}?state=decided&after=${filled.accountId(100)}`,
    apiRoutes.members,
    `${apiRoutes.members}?${cursor}`,
    `${apiRoutes.members}?q=vecina&${cursor}`,
    apiRoutes.versions(long, 3),
    apiRoutes.news,
    apiRoutes.log,
    `${apiRoutes.log}?after=${filled.accountId(100)}`,
  ]) {
    await forum.json('GET', url, { token: staff });
  }
}

/** Admits people by invitation and on request, and reads and changes the settings. */
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
  await forum.json('GET', apiRoutes.rules);
}

/** Holds posts for each reason, withdraws one, approves and rejects others, among many. */
async function reviewPendingPosts(forum: Forum): Promise<void> {
  await reviewFirstPosts(forum);
  const { token } = await forum.person();
  const { token: staff } = await makeStaff(forum);
  const put = (comment: string) =>
    forum.json<PendingPost>('PUT', apiRoutes.comment, {
      token,
      body: { id: filled.channelId(0), comment, replyTo: 5, replyExcerpt: 'el jueves' },
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
  const cursor = `after=${forum.services.now()}_${filled.accountId(100)}`;
  for (const more of ['', `&${cursor}`]) {
    await forum.json('GET', `${apiRoutes.queue}?state=pending${more}`, { token: staff });
  }
  const decide = ({ kind, id }: { kind: string; id: string }, action: string) =>
    forum.call('POST', apiRoutes.decisions, {
      ...{ token: staff, body: { subject: { kind, id }, action, reason: 'No' } },
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
    const session = await forum.signIn(filled.email(20 + index), password);
    const { token } = (await session.json()) as { token: string };
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

/** Inserts rows through a separate connection, so that the watched one does not record the inserts. */
async function fill({ services }: Forum, filling: Filling): Promise<void> {
  const db = openDatabase(services.config, { noStatementTimeout: true });
  try {
    const nowMs = services.now();
    await fillChannels(db, filling, { passwordHash: await hashPassword(password), nowMs });
    await fillComments(db, filling, nowMs);
    await fillDetails(db);
    await fillNotifications(db, filled.accountId(7), nowMs);
    for (let start = 0; start < filling.accounts; start += 100) {
      const rows = Array.from({ length: 100 }, (_, i) => ({
        key: `comment:${start + i}`,
        points: 1,
        expire: nowMs + 60_000,
      }));
      await db.insertInto('rate_limits').values(rows).execute();
    }
    await sql`
      insert into password_links (token_hash, account_id, expires_at_ms)
      select id, id, cast(${nowMs + 60_000} as bigint) from accounts
    `.execute(db);
    // Each account gets sessions, devices and other credentials besides its password.
    const later = sql`cast(${nowMs + 60_000} as bigint)`;
    await sql`
      insert into devices
        (id, token_hash, account_id, browser, created_at_ms, last_used_at_ms, expires_at_ms)
      select id, id, id, '', created_at_ms, created_at_ms, ${later} from accounts
    `.execute(db);
    await sql`
      insert into recovery_codes (code_hash, account_id, created_at_ms)
      select id, id, created_at_ms from accounts
    `.execute(db);
    await sql`
      insert into passkeys (id, account_id, public_key, counter, transports, name, created_at_ms)
      select id, id, '', 0, '[]', '', created_at_ms from accounts
    `.execute(db);
    await sql`
      insert into passkey_challenges (challenge_hash, account_id, expires_at_ms)
      select id, id, ${later} from accounts
    `.execute(db);
    await sql`
      update accounts set email_confirmed_at_ms = 1 where id <> ${filled.accountId(11)}
    `.execute(db);
    await sql`
      insert into email_confirmations (token_hash, account_id, expires_at_ms)
      select id, id, ${later} from accounts
    `.execute(db);
    await sql`
      insert into mails (id, account_id, kind, rank, created_at_ms, sent_at_ms)
      select id, id, 'news', 2, ${nowMs - 1.5 * dayMs}, ${nowMs - 1.5 * dayMs} from accounts
    `.execute(db);
    await sql`insert into account_names (word, account_id) select id, id from accounts`.execute(db);
    await sql`
      insert into invitations (id, code_hash, account_id, uses, used, created_at_ms, ends_at_ms)
      select 'inv-' || id, 'inv-' || id, id, 1, 0, created_at_ms, ${later} from accounts
    `.execute(db);
    await sql`
      update accounts set admission = 'refused', disabled_at_ms = 1
      where id > ${filled.accountId(filling.accounts - 100)}
    `.execute(db);
    await fillModeration(db, nowMs + 100 * dayMs);
    await fillPendingPosts(db, nowMs + 100 * dayMs);
    await fillHistory(db, nowMs + 100 * dayMs);
    await fillIndex(db);
    // Leave some comments to be indexed.
    await db.deleteFrom('search_docs').where('number', '>', 390).execute();
    await writeState(db, { remaining: 1 });
    if (services.config.databaseUrl) await sql`analyze`.execute(db);
  } finally {
    await db.destroy();
  }
}
