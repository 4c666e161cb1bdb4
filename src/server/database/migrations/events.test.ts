import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`010 keeps comments as visible as they were, adds dates that go with them, and mails nothing important to who asked for no mail (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '009-notices' });
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms, mail_every)
      values ('eva', 'Eva', '', 'eva', '', 1, 'never'), ('leo', 'Leo', '', 'leo', '', 1, 'day')`.execute(
      db,
    );
    await sql`insert into channels (id, account_id, name, description, cover, cover_alt,
        comment_count, last_comment_number, created_at_ms)
      values ('c', 'eva', 'Ensayos', '', '', '', 1, 2, 1)`.execute(db);
    await sql`insert into comments (channel_id, number, account_id, text, created_at_ms, deleted_at_ms)
      values ('c', 1, 'leo', 'hola', 2, null), ('c', 2, 'leo', 'adiós', 3, 4)`.execute(db);
    await migrate(db, { upTo: '010-events' });

    const shown =
      await sql`select number, text, carries, carried_text from visible_comments`.execute(db);
    assert.deepEqual(
      shown.rows.map((row) => Object.values(row as object)),
      [[1, 'hola', null, '']],
    );
    const chosen = await sql`select id, important from accounts order by id`.execute(db);
    assert.deepEqual(
      chosen.rows.map((row) => Object.values(row as object)),
      [
        ['eva', 'digest'],
        ['leo', 'now'],
      ],
    );
    await sql`insert into comment_events (channel_id, number, title, location, zone, all_day, changed_at_ms)
      values ('c', 1, 'Ensayo', '', 'UTC', 0, 5)`.execute(db);
    await sql`insert into event_dates (channel_id, number, position, start_time, starts_at_ms, ends_at_ms,
        told_start, told_location)
      values ('c', 1, 0, '2027-01-01T20:00', 6, 7, '2027-01-01T20:00', '')`.execute(db);
    const answer = sql`insert into event_rsvps (channel_id, number, position, account_id, answer, people,
        turn, answered_at_ms)
      values ('c', 1, 0, 'eva', 'yes', 2, 1, 8)`;
    await answer.execute(db);
    await assert.rejects(sql`update event_rsvps set answer = 'perhaps'`.execute(db), /constraint/i);
    await assert.rejects(sql`update comments set carries = 'cake'`.execute(db), /constraint/i);
    if (engine === 'sqlite')
      await assert.rejects(sql`update event_rsvps set people = 1.5`.execute(db), /constraint/i);
    await sql`delete from comments where number = 1`.execute(db);
    for (const table of ['comment_events', 'event_dates', 'event_rsvps']) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db);
      assert.deepEqual(rows, [], table);
    }
  });
}
