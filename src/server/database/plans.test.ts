import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filling } from '../../../test/forum/fill-forum.ts';
import { fillTables } from '../../../test/forum/fill-tables.ts';
import { type Engine, engines } from '../../../test/forum/forum.ts';
import {
  complaintsOfPostgres,
  complaintsOfSqlite,
  openWatchedDatabase,
} from '../../../test/forum/query-plans.ts';
import { visitFilled } from '../../../test/forum/visit-filled.ts';
import { playScript } from '../../../test/script/play-script.ts';
import { firstDifference } from '../../../test/script/transcript.ts';
import { openDatabase } from './engine.ts';

/** A query that may read a whole table, and why. */
type Inherent = [sql: RegExp, why: string];

const onBoth: Inherent[] = [
  [/^select \* from "orphaned_objects"$/, 'reads every row that is to be removed'],
  [
    /^\s+insert into search_channels \(channel_id\)/,
    'runs once, when the search index is created or is to be built again',
  ],
  [
    /^delete from "password_links" where "made_by" is not null/,
    'the table has the links of the last half an hour, of which there are few',
  ],
  [
    /^\s+select id, mail_every, zone, mailed_at_ms, mark, newest from/,
    'looks at each account that may be sent news (notifications/pass/queue-news.test.ts)',
  ],
  [/^\s+select found\.\*, /, 'reads a subquery that is limited to a batch of browsers'],
  [
    /^(select "device_id"|update "push_subscriptions").* in \(select account_id from notifications/,
    'reads what was told since the last pass',
  ],
  [
    /^select "account_id", min\("number"\) as "first"/,
    'groups the comments of a channel that nobody was told of',
  ],
  [
    /^\s+insert into notifications \(account_id, kind, channel_id, (number|actor_id), created_at_ms\)\s+select accounts/,
    'writes a row for each follower of a channel, or for each member',
  ],
  [
    /^select "id", "told_number" from "channels" where "last_comment_number" > "told_number"/,
    'reads the channels in which something was written since the last pass',
  ],
  [
    /^select "id" from "accounts" where "id" = \S+ and \(accounts\.erased_at_ms is null/,
    'reads the accounts that are suspended, of which there are few',
  ],
  [
    /^\s+insert into notifications .*\s+select account_id, 'poll'/,
    'reads who voted in one poll, and the suspended accounts',
  ],
  [/from "channels" where "is_told" = /, 'reads the channels that were not told yet'],
  [/^select max\("batch"\."id"\)/, 'reads a subquery that is limited to a batch of accounts'],
];

const inherent: Record<Engine, Inherent[]> = {
  sqlite: [
    ...onBoth,
    [
      /^\s*select name from sqlite_schema /,
      'reads the list of tables, of which there are some dozens',
    ],
    [
      /^select "announcements"\."channel_id".* where "told_at_ms" is null/,
      'reads the announcements that nobody was told of yet',
    ],
    [
      /from "visible_comments" .* inner join "announcements" .* order by/s,
      'sorts the announcements of these days',
    ],
    [/^select "id", "role", "created_at_ms" from "accounts"/, 'reads the accounts of the staff'],
    [
      /^select "account_id", max\("number"\) as "newest"/,
      'groups the newest thousand comments of one channel by author',
    ],
    [/^select "read"."channel_id"/, 'counts a subquery that is limited to a hundred rows'],
    [
      /from "(sessions|devices)" where "account_id" = .* order by .*"last_used_at_ms" desc/,
      'sorts the sessions of one account, of which there are two hundred at most',
    ],
    [
      /^select "device_id".* from "push_subscriptions" .* order by/,
      'sorts the browsers of one account, of which there are ten at most',
    ],
    [
      /^insert into "(reading_positions|account_names|search_docs)"/,
      'scans the rows that it inserts',
    ],
    [
      /^\s+select id, name from accounts\s+where id in/,
      'reads subqueries that are limited to a thousand rows',
    ],
    [
      /^select .* from "accounts" where .* in \(select "account_id" from "account_names" /,
      'sorts the accounts of at most a thousand words of names',
    ],
    [
      /from "reports" where "(case_id|id)" in .* order by/s,
      'sorts the reports on the cases of one page',
    ],
    [
      /from "reports" .* where "reports"\."account_id" = .* order by "reports"\."id" desc limit/,
      'sorts the reports by one account',
    ],
    [
      /from "?decision_accounts"?( as "about")? .* order by "?(decisions"?\."?|decision_)id"? desc limit/s,
      'sorts the decisions that concern one account',
    ],
    [/^select word, id from \(/, 'reads subqueries that are limited to twenty rows'],
    [/^\s+select \(select word from account_names/, 'reads a list of words that it is given'],
    [/from "temp"\."search_words"/, 'reads words of the index in their order, as far as the limit'],
    [/^select "newest"\."created_at_ms"/, 'scans a subquery that is limited to one page'],
    [
      /^select \* from \(select "(account_id|number)"/,
      'reads subqueries that are limited to ten rows each',
    ],
    [
      /^select \* from \(select (octet_length\(text\)|"visible_comments"\.\*)/,
      'reads the first comments of each channel, as far as the limit',
    ],
    [
      /^select\s+\(select count\(\*\) from \(select id from cases /,
      'counts subqueries that are limited to a thousand rows',
    ],
    [
      /^select\s+\(select count\(\*\) from \(select id from pending_posts /,
      'counts subqueries that are limited to a thousand rows',
    ],
    [
      /^(\s+update channels\s+set comment_count|select "id" from "channels" where id in \(\s+select)/,
      'groups the comments of the accounts that are hidden by their channels',
    ],
    [
      /^select "channel_id" from "comments" where "account_id" = \S+ union select/,
      'groups the comments of an account that is erased by their channels',
    ],
    [
      /^select "id"(, "role")? from "accounts" where "?role"? <> /,
      'reads the index of moderators and admins, of whom there are few',
    ],
    [
      /^select "decisions"\."id", "action", "until_ms", "reason" from "decision_accounts"/,
      'sorts the decisions that concern one account',
    ],
    [
      /from "mails" where ("rank" in|"next_try_at_ms" is not null)/,
      'reads the mails that wait, of which there are as many as the site sends in a day at most',
    ],
    [
      /^select distinct "channel_id", "account_id" from "imported_people" where is_moving = 1/,
      'reads the index of imported people whose comments are on their way, of whom there are few',
    ],
    [/^select "event_dates"\.\*, "event"\."zone"/, 'reads the dates to come, once at a start'],
    [
      /^\s+update event_dates\s+set yes = fresh\.yes/,
      'reads subqueries of the answers to some dates',
    ],
    [
      /^\s+select channel_id, number, position from \(\s+select channel_id/,
      'reads the answers that wait for room',
    ],
    [
      /^\s+select polls\.\*, /,
      'reads the hidden accounts, of which there are few, and sorts the votes in a poll',
    ],
    [
      /^\s+select polls\.channel_id, polls\.number, closes_at_ms/,
      'reads the open polls in their order, as far as the limit',
    ],
  ],
  postgres: [
    ...onBoth,
    [
      /^\s+select polls\.\*, /,
      'counts the votes in a poll; the options of few polls are read whole rather than looked up',
    ],
    [
      /^delete from "(unconfirmed_objects|orphaned_objects)" where /,
      'the tables have few rows: images that are being stored or removed',
    ],
    [
      /^delete from "passkey_challenges" where "account_id" = /,
      'reads the challenges of the last five minutes, which may be most of the table',
    ],
    [
      /^((select \* from|update) "search_state"|select "secret" from "report_secret"|select "revision", "saved_at_ms", "settings" from "site_settings") /,
      'the tables have few rows',
    ],
    [
      /^delete from "images" where "image_id" > /,
      'tests 500 images: reading a small index whole costs less than so many look-ups',
    ],
    [
      /^\s+(with hit as materialized|select \(select token from search_docs)/,
      'runs with scans of whole tables disabled (search/query/find-docs.test.ts)',
    ],
    [
      /^(select "(epoch|identity|founder_hash)" from|update) "site" /,
      'the tables have one row each',
    ],
    [
      /^\s+update channels\s+set comment_count/,
      'reads the comments of a channel once for a decision about an account, when statistics say that few are visible',
    ],
    [/^select "id" from "(accounts|invitations)" limit /, 'reads the first row only'],
  ],
};

/**
 * On PostgreSQL more rows than any query may read. SQLite's plans do not depend on the number of rows, so
 * it gets only the rows that are requested.
 */
const fillings: Record<Engine, Filling> = {
  sqlite: { accounts: 200, channels: 200, comments: 2000, longest: 400 },
  postgres: { accounts: 1500, channels: 1500, comments: 7500, longest: 1500 },
};

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
      const { asked } = watched;
      // On a busy machine a statement that avoids scans may take longer than the server allows.
      await using db = openDatabase(forum.services.config, { noStatementTimeout: true });
      await fillTables(forum, fillings[engine]);
      await visitFilled(forum, fillings[engine]);
      t.diagnostic(`${asked.size} statements`);

      const queries = [...asked.values()];
      // Fewer would mean that the script and the visit no longer ask for everything.
      assert.ok(asked.size > 500, `${asked.size} statements`);
      const complaints: Record<string, string[]> = {};
      for (const query of queries) {
        if (inherent[engine].some(([sql]) => sql.test(query.sql))) continue;
        const found = await (engine === 'sqlite' ? complaintsOfSqlite : complaintsOfPostgres)(
          db,
          query,
        );
        if (found.length > 0) complaints[query.sql] = found;
      }
      assert.deepEqual(complaints, {});
      const unused = inherent[engine].filter(([sql]) => !queries.some((one) => sql.test(one.sql)));
      assert.deepEqual(unused, [], 'exceptions without a query');
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
