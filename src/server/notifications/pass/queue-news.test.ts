import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Insertable, sql } from 'kysely';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import {
  complaintsOfSqlite,
  openWatchedDatabase,
  rowsReadByPostgres,
} from '../../../../test/forum/query-plans.ts';
import { openDatabase } from '../../database/engine.ts';
import type { Tables } from '../../database/tables.ts';
import { findMornings } from './mornings.ts';
import { findAccountsWithNews, queueNews } from './queue-news.ts';

const accounts = 3000;
/** Per account. */
const notifications = 20;

for (const engine of engines) {
  test(`a pass reads one notification or two of each account that may be sent news (${engine})`, async () => {
    await using forum = await Forum.start(engine, {});
    const { db } = forum.services;
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
    const nowMs = Date.UTC(2026, 10, 29, 12);
    const mornings = await findMornings(db, nowMs);
    // A database apart, so that other queries of the running server are not counted.
    const watched = openWatchedDatabase(forum.services.config);
    const found = await findAccountsWithNews(watched.db, 'news', { mornings, nowMs, most: 100 });
    await watched.db.destroy();
    const { asked } = watched;
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
  test(`digests are due in the morning of each account's zone, or of the community's (${engine})`, async () => {
    await using forum = await Forum.start(engine, {});
    await changeSettings(forum, { zone: 'America/Caracas' });
    const { db } = forum.services;
    const author = await forum.person();
    const { _id } = await forum.channel(author);
    const night = Date.UTC(2026, 10, 29, 23, 30);
    const add = async (id: string, values: Partial<Insertable<Tables['accounts']>>) => {
      const account = { id, name: id, email: id, email_key: id, password_hash: '' };
      const confirmed = { created_at_ms: 0, email_confirmed_at_ms: 1 };
      await db
        .insertInto('accounts')
        .values({ ...account, ...confirmed, ...values })
        .execute();
      const about = { channel_id: _id, actor_id: author.id, number: 1, kind: 'reply' as const };
      const notification = { account_id: id, ...about, created_at_ms: night };
      await db.insertInto('notifications').values(notification).execute();
    };
    await add('kiritimati', { zone: 'Pacific/Kiritimati' });
    await add('kolkata', { zone: 'Asia/Kolkata' });
    await add('madrid', { zone: 'Europe/Madrid' });
    await add('madrid, weekly', { zone: 'Europe/Madrid', mail_every: 'week' });
    await add('madrid, mailed', { zone: 'Europe/Madrid', mailed_at_ms: Date.UTC(2026, 10, 30, 7) });
    await add('madrid, never', { zone: 'Europe/Madrid', mail_every: 'never' });
    await add('caracas', {});
    await add('unknown', { zone: 'Marte/Olimpo' });
    await add('honolulu', { zone: 'Pacific/Honolulu' });
    const due: Record<string, string> = {};
    for (let quarter = 0; quarter < 4 * 24; quarter++) {
      const nowMs = night + 15 * 60_000 * quarter;
      const mornings = await findMornings(db, nowMs);
      for (const { id } of await findAccountsWithNews(db, 'news', { mornings, nowMs, most: 100 }))
        due[id] ??= new Date(nowMs).toISOString();
    }
    assert.deepEqual(due, {
      kolkata: '2026-11-30T02:30:00.000Z',
      madrid: '2026-11-30T07:00:00.000Z',
      'madrid, weekly': '2026-11-30T07:00:00.000Z',
      caracas: '2026-11-30T12:00:00.000Z',
      unknown: '2026-11-30T12:00:00.000Z',
      kiritimati: '2026-11-30T18:00:00.000Z',
      honolulu: '2026-11-30T18:00:00.000Z',
    });
  });
}

test('a pass locks accounts in the order of their ids, as decisions do, and not in that of their waiting', async () => {
  const mail = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'foro@foro.example' };
  await using forum = await Forum.start('sqlite', { ...mail, PUBLIC_URL: 'https://foro.example' });
  const { db } = forum.services;
  const author = await forum.person();
  const { _id: channel_id } = await forum.channel(author);
  const ids = [await forum.person(), await forum.person()].map(({ id }) => id).sort();
  for (const [index, account_id] of ids.entries()) {
    const waiting = {
      email_confirmed_at_ms: 1,
      mailed_at_ms: 2 - index,
      mail_every: 'hour' as const,
    };
    await db.updateTable('accounts').set(waiting).where('id', '=', account_id).execute();
    const about = { channel_id, actor_id: author.id, number: 1, kind: 'reply' as const };
    const notification = { account_id, ...about, created_at_ms: 1 };
    await db.insertInto('notifications').values(notification).execute();
  }
  assert.equal(await queueNews(forum.services), 2);
  const queued = db.selectFrom('mails').select('account_id').where('kind', '=', 'news');
  const rows = await queued.orderBy('id').execute();
  assert.deepEqual(
    rows.map(({ account_id }) => account_id),
    ids,
  );
});
