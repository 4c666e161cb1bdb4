import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`009 keeps the queue of mails, and mails nothing at once that a digest covered (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '008-reply-excerpts' });
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms, mailed_notification_id)
      values ('eva', 'Eva', '', 'eva', '', 1, 7)`.execute(db);
    await sql`insert into mails (id, account_id, kind, rank, email, after_notification_id, notification_id,
        created_at_ms, ends_at_ms, tries, next_try_at_ms, sent_at_ms)
      values ('m1', 'eva', 'news', 2, null, 3, 7, 10, 20, 1, 15, null),
        ('m2', 'eva', 'address-changed', 1, 'antes@foro.example', 0, 0, 11, 21, 2, null, 12)`.execute(
      db,
    );
    await migrate(db, { upTo: '009-notices' });

    const account = await sql`select mailed_notice_id from accounts`.execute(db);
    assert.deepEqual({ ...(account.rows[0] as object) }, { mailed_notice_id: 7 });
    const { rows } =
      await sql`select id, kind, rank, email, after_notification_id as after, notification_id as upto,
      created_at_ms as created, ends_at_ms as ends, tries, next_try_at_ms as next, sent_at_ms as sent
      from mails order by id`.execute(db);
    assert.deepEqual(
      rows.map((row) => Object.values(row as object)),
      [
        ['m1', 'news', 2, null, 3, 7, 10, 20, 1, 15, null],
        ['m2', 'address-changed', 1, 'antes@foro.example', 0, 0, 11, 21, 2, null, 12],
      ],
    );
    const notices = sql`update mails set kind = 'notices' where id = 'm1'`;
    await notices.execute(db);
    await assert.rejects(sql`update mails set kind = 'other'`.execute(db), /check|constraint/i);
    if (engine === 'sqlite')
      await assert.rejects(sql`update mails set tries = 1.5`.execute(db), /constraint/i);
  });
}
