import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`012 keeps comments as visible as they were, none an announcement, and adds announcements that go with them (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '011-rsvp-counts' });
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
      values ('eva', 'Eva', '', 'eva', '', 1)`.execute(db);
    await sql`insert into channels (id, account_id, name, description, cover, cover_alt,
        comment_count, last_comment_number, created_at_ms)
      values ('c', 'eva', 'Avisos', '', '', '', 1, 2, 1)`.execute(db);
    await sql`insert into comments (channel_id, number, account_id, text, created_at_ms, deleted_at_ms)
      values ('c', 1, 'eva', 'hola', 2, null), ('c', 2, 'eva', 'adiós', 3, 4)`.execute(db);
    await migrate(db, { upTo: '012-announcements' });

    const shown =
      await sql`select number, text, carries, is_announcement from visible_comments`.execute(db);
    assert.deepEqual(
      shown.rows.map((row) => Object.values(row as object)),
      [[1, 'hola', null, 0]],
    );
    await sql`insert into announcements (channel_id, number, until_day, ends_at_ms, asks_confirmation)
      values ('c', 1, '2027-01-01', 5, 1)`.execute(db);
    const read = sql`insert into acknowledgements (channel_id, number, account_id, acknowledged_at_ms)
      values ('c', 1, 'eva', 6)`;
    await read.execute(db);
    await assert.rejects(read.execute(db), /unique/i);
    if (engine === 'sqlite')
      await assert.rejects(
        sql`update announcements set ends_at_ms = 1.5`.execute(db),
        /constraint/i,
      );
    await sql`delete from comments where number = 1`.execute(db);
    for (const table of ['announcements', 'acknowledgements']) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db);
      assert.deepEqual(rows, [], table);
    }
  });
}
