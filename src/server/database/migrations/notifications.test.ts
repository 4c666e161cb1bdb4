import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

const nowMs = Date.now();
const cine = '00000000-0000-7000-8000-0000000000aa';
const decision = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;

for (const engine of engines) {
  test(`005 makes rows of decisions, in the order of time, and one mark of two (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '004-merges-and-audit' });
    await fill(db as unknown as Kysely<unknown>);
    await migrate(db);

    const { rows } = await sql<{ line: string }>`
      select account_id || ' ' || kind || ' ' || coalesce(cast(number as text), decision_id) as line
      from notifications order by id`.execute(db);
    assert.deepEqual(
      rows.map(({ line }) => line),
      [
        'eva reply 2',
        `eva decision ${decision(1)}`,
        'eva mention 3',
        `eva decision ${decision(5)}`,
        `leo decision ${decision(5)}`,
        'eva reply 4',
        'zoe reply 3',
        `zoe decision ${decision(6)}`,
      ],
    );
    const ids = await sql<{ id: number }>`select id from notifications order by id`.execute(db);
    assert.deepEqual(
      ids.rows.map(({ id }) => Number(id)),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'notifications_seen_id as seen', 'mailed_notification_id as mailed'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      accounts.map((account) => ({ ...account })),
      [
        // She had seen the reply and the mention, but no decision; she was mailed the first decision.
        { id: 'eva', seen: 1, mailed: 3 },
        // He had seen all there is, so nothing of it is to be mailed.
        { id: 'leo', seen: 5, mailed: 5 },
        // She had read the comments, and seen nothing in the list.
        { id: 'zoe', seen: 8, mailed: 0 },
      ],
    );
    const subscription = await db.selectFrom('push_subscriptions').selectAll().executeTakeFirst();
    assert.equal(subscription?.pushed_notification_id, 4);
    assert.equal(subscription?.next_try_at_ms, 7);
    const mail = await db.selectFrom('mails').select('next_try_at_ms').executeTakeFirst();
    assert.equal(mail?.next_try_at_ms, null);
    const about = { account_id: 'leo', channel_id: cine, actor_id: 'eva', created_at_ms: nowMs };
    const added = await db
      .insertInto('notifications')
      .values({ ...about, number: 4, kind: 'thanks' })
      .returning('id')
      .executeTakeFirst();
    assert.equal(Number(added?.id), 9);
  });
}

async function fill(db: Kysely<unknown>): Promise<void> {
  for (const id of ['eva', 'leo', 'zoe'])
    await sql`
      insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
      values (${id}, ${id}, '', ${id}, '', 1)
    `.execute(db);
  await sql`
    insert into channels (id, account_id, name, description, cover, cover_alt, comment_count,
      last_comment_number, created_at_ms)
    values (${cine}, 'leo', 'Cine', '', '', '', 4, 4, 1)
  `.execute(db);
  for (const [id, kind, number, agoMs, account] of [
    [40, 'reply', 2, 900, 'eva'],
    [41, 'mention', 3, 700, 'eva'],
    [42, 'reply', 4, 100, 'eva'],
    [43, 'reply', 3, 90, 'zoe'],
  ] as const)
    await sql`
      insert into notifications (id, account_id, channel_id, number, kind, actor_id, created_at_ms)
      values (${id}, ${account}, ${cine}, ${number}, ${kind}, 'leo', cast(${nowMs - agoMs} as bigint))
    `.execute(db);
  const old = 91 * 86_400_000;
  for (const [number, action, agoMs, undone, people] of [
    [1, 'silence', 800, null, ['eva']],
    // Undone, and reports that were dismissed, are told to nobody; so is what is older than 90 days.
    [2, 'suspend', 600, null, ['eva']],
    [3, 'dismiss', 600, null, ['leo']],
    [4, 'silence', old, null, ['leo']],
    [5, 'undo', 500, 2, ['eva', 'leo']],
    [6, 'approve', 80, null, ['zoe']],
  ] as const) {
    await sql`
      insert into decisions (id, at_ms, action, category, reason, subject_kind, subject_id, decided_by, undoes)
      values (${decision(number)}, cast(${nowMs - agoMs} as bigint), ${action}, 'other', '',
        ${action === 'approve' ? 'comment' : 'user'}, ${action === 'approve' ? `${cine}-4` : 'eva'}, 'zoe',
        ${undone === null ? null : decision(undone)})
    `.execute(db);
    for (const id of people)
      await sql`
        insert into decision_accounts (decision_id, account_id) values (${decision(number)}, ${id})
      `.execute(db);
  }
  await sql`insert into reading_positions (account_id, channel_id, number) values ('zoe', ${cine}, 4)`.execute(
    db,
  );
  await sql`
    update accounts set notifications_seen_id = 41, mailed_notification_id = 41,
      mailed_decision_id = ${decision(1)} where id = 'eva'
  `.execute(db);
  await sql`
    update accounts set decisions_seen_id = ${decision(5)} where id = 'leo'
  `.execute(db);
  await sql`
    insert into devices (id, token_hash, account_id, browser, created_at_ms, last_used_at_ms, expires_at_ms)
    values ('aparato', '', 'eva', '', 1, 1, 1)
  `.execute(db);
  await sql`
    insert into push_subscriptions (device_id, account_id, endpoint, p256dh, auth, created_at_ms,
      pushed_notification_id, pushed_decision_id, next_try_at_ms)
    values ('aparato', 'eva', '', '', '', 1, 40, ${decision(5)}, 7)
  `.execute(db);
  await sql`
    insert into mails (id, account_id, kind, rank, created_at_ms, next_try_at_ms)
    values ('correo', 'eva', 'news', 2, 1, 1)
  `.execute(db);
}
