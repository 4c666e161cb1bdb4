import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../test/eventually.ts';
import { engines, Forum } from '../../../test/forum/forum.ts';
import {
  complaintsOfSqlite,
  openWatchedDatabase,
  rowsReadByPostgres,
} from '../../../test/forum/query-plans.ts';
import { openDatabase } from '../database/engine.ts';
import { parseConfig } from '../system/settings/config.ts';
import { findAccountsWithNews, queueNews } from './queue-news.ts';

const accounts = 3000;
/** Per account. */
const notifications = 20;

for (const engine of engines) {
  test(`a pass reads one notification or two of each account that may be sent news (${engine})`, async () => {
    let watched: ReturnType<typeof openWatchedDatabase> | undefined;
    await using forum = await Forum.start(engine, {}, (config) => {
      watched = openWatchedDatabase(config);
      return { db: watched.db };
    });
    assert.ok(watched);
    const { db, asked } = watched;
    const author = await forum.person();
    const { _id } = await forum.channel(author);
    const numbers = (last: number) =>
      sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(last)}) select i from n) as numbers`;
    const filling = openDatabase(forum.services.config, { noStatementTimeout: true });
    await sql`
      insert into accounts (id, name, email, email_key, password_hash, created_at_ms, email_confirmed_at_ms)
      select 'many-' || i, 'Ana', 'many-' || i, 'many-' || i, '', 0, 1 from ${numbers(accounts)}
    `.execute(filling);
    await sql`
      insert into notifications (account_id, channel_id, number, kind, actor_id, created_at_ms)
      select id, ${_id}, i, 'reply', ${author.id}, 1 from accounts cross join ${numbers(notifications)}
    `.execute(filling);
    if (engine === 'postgres') await sql`analyze`.execute(filling);
    await filling.destroy();
    asked.clear();
    const found = await findAccountsWithNews(db, forum.services.now(), 100);
    assert.equal(found.length, 100);
    assert.equal(asked.size, 1);
    const [query] = asked.values();
    assert.ok(query);
    if (engine === 'sqlite') {
      const complaints = await complaintsOfSqlite(db, query);
      // Only accounts that may be sent news, and a sort of those that have some.
      assert.deepEqual(complaints, [
        'SCAN accounts USING INDEX accounts_with_news',
        'USE TEMP B-TREE FOR ORDER BY',
      ]);
    } else {
      const { notifications: read = 0 } = await rowsReadByPostgres(db, query);
      assert.ok(read <= 3 * accounts, `${read} notifications`);
    }
  });
}

for (const engine of engines) {
  test(`news wait until the last mail and the first notification are old enough (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const { db, now } = forum.services;
    const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
    const { _id } = await forum.channel(ana);
    await forum.comment(ana, _id, 'Empiezo yo');
    await forum.comment(bea, _id, 'Yo también', { replyTo: 1 });
    const yearMs = 365 * 86_400_000;
    await db.updateTable('accounts').set({ email_confirmed_at_ms: 1 }).execute();
    const found = async (mailedMs: number, noticedMs: number) => {
      await db.updateTable('accounts').set({ mailed_at_ms: mailedMs }).execute();
      await db.updateTable('notifications').set({ created_at_ms: noticedMs }).execute();
      return (await findAccountsWithNews(db, now(), 10)).length;
    };
    assert.equal(await found(now() - yearMs, now() - yearMs), 1);
    assert.equal(await found(now() - 60_000, now() - yearMs), 0);
    assert.equal(await found(now() - yearMs, now() - 60_000), 0);
  });
}

test('a pass locks accounts in the order of their ids, as decisions do', async () => {
  await using forum = await Forum.start('postgres');
  const { db, config, now } = forum.services;
  const author = await forum.person();
  const { _id: channel_id } = await forum.channel(author);
  const people = [await forum.person(), await forum.person()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  // The last one has waited longest.
  for (const [index, { id }] of people.entries()) {
    const waiting = { email_confirmed_at_ms: 1, mailed_at_ms: 2 - index };
    await db.updateTable('accounts').set(waiting).where('id', '=', id).execute();
    const of = { account_id: id, actor_id: author.id, channel_id, number: 1, created_at_ms: 1 };
    await db
      .insertInto('notifications')
      .values({ ...of, kind: 'reply' })
      .execute();
  }
  const { mail } = parseConfig({
    SMTP_URL: 'smtp://localhost',
    MAIL_FROM: 'foro@ejemplo.es',
    PUBLIC_URL: 'https://foro.ejemplo.es',
  });
  const pass = db.transaction().execute(async (trx) => {
    const lock = (id = '') =>
      trx.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
    await lock(people[0]?.id);
    const queued = queueNews({ ...forum.services, config: { ...config, mail }, now });
    await eventually('the pass waits for the first account', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    });
    await lock(people[1]?.id);
    return { queued };
  });
  assert.equal(await (await pass).queued, 2);
});
