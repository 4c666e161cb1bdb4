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

  test(`011 counts the answers that are there, without those of hidden accounts (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '010-events' });
    const people = ['ana', 'bea', 'eva', 'leo', 'max'];
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms, hidden_by)
      values ${sql.join(people.map((id) => sql`(${id}, '', '', ${id}, '', 1, ${id === 'eva' ? 'd' : null})`))}`.execute(
      db,
    );
    await sql`insert into channels (id, account_id, name, description, cover, cover_alt,
        comment_count, last_comment_number, created_at_ms)
      values ('c', 'ana', 'Ensayos', '', '', '', 1, 1, 1)`.execute(db);
    await sql`insert into comments (channel_id, number, account_id, text, created_at_ms)
      values ('c', 1, 'ana', '', 2)`.execute(db);
    await sql`insert into comment_events (channel_id, number, title, location, zone, all_day, capacity, changed_at_ms)
      values ('c', 1, 'Ensayo', '', 'UTC', 0, 3, 5)`.execute(db);
    await sql`insert into event_dates (channel_id, number, position, start_time, starts_at_ms, ends_at_ms,
        told_start, told_location)
      values ${sql.join([0, 1, 2].map((position) => sql`('c', 1, ${sql.lit(position)}, '2027-01-01T20:00', 6, 7, '', '')`))}`.execute(
      db,
    );
    // Two come, the hidden one does not count, two more do not fit, and one who would does not overtake.
    const answers = [
      ...[['ana', 0, 'yes', 2, 1] as const, ['eva', 0, 'yes', 5, 2] as const],
      ...[['bea', 0, 'yes', 2, 3] as const, ['leo', 0, 'yes', 1, 4] as const],
      ...[['max', 0, 'no', 1, 0] as const, ['ana', 1, 'maybe', 1, 0] as const],
    ];
    for (const [id, position, answer, count, turn] of answers)
      await sql`insert into event_rsvps (channel_id, number, position, account_id, answer, people, turn, answered_at_ms)
        values ('c', 1, ${sql.lit(position)}, ${id}, ${answer}, ${sql.lit(count)}, ${sql.lit(turn)}, 8)`.execute(
        db,
      );
    await migrate(db, { upTo: '011-rsvp-counts' });
    const { rows } =
      await sql`select yes, waiting, maybe, no from event_dates order by position`.execute(db);
    assert.deepEqual(
      rows.map((row) => Object.values(row as object)),
      [
        [2, 3, 0, 1],
        [0, 0, 1, 0],
        [0, 0, 0, 0],
      ],
    );
  });
}
