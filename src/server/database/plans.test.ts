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
    why: 'reads every row that is to be removed',
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
      await fillTables(forum, fillings[engine]);
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
