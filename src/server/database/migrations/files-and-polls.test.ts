import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`014 keeps dates and visibility as they were, and adds files and polls that go with their comments (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '013-mailed-invitations' });
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms, hidden_by)
      values ('eva', 'Eva', '', 'eva', '', 1, null), ('leo', 'Leo', '', 'leo', '', 1, 'd')`.execute(
      db,
    );
    await sql`insert into channels (id, account_id, name, description, cover, cover_alt,
        comment_count, last_comment_number, created_at_ms)
      values ('c', 'eva', 'Ensayos', '', '', '', 2, 4, 1)`.execute(db);
    await sql`insert into comments
        (channel_id, number, account_id, text, created_at_ms, deleted_at_ms, carries, carried_text)
      values ('c', 1, 'eva', 'hola', 2, null, null, ''), ('c', 2, 'eva', 'adiós', 3, 4, null, ''),
        ('c', 3, 'leo', 'oculto', 3, null, null, ''), ('c', 4, 'eva', '', 3, null, 'event', 'Ensayo')`.execute(
      db,
    );
    await migrate(db, { upTo: '014-files-and-polls' });

    const shown = await sql`select number, text, file_count, carries, carried_text
      from visible_comments order by number`.execute(db);
    assert.deepEqual(
      shown.rows.map((row) => Object.values(row as object)),
      [
        [1, 'hola', 0, null, ''],
        [4, '', 0, 'event', 'Ensayo'],
      ],
    );
    await sql`update comments set carries = 'poll', file_count = 1 where number = 1`.execute(db);
    await assert.rejects(sql`update comments set carries = 'cake'`.execute(db), /constraint/i);
    for (const insert of [
      sql`comment_files (channel_id, number, position, url) values ('c', 1, 0, '/files/files/a/b.pdf')`,
      sql`polls (channel_id, number, is_multiple, is_secret, closes_at_ms) values ('c', 1, 0, 0, 9)`,
      sql`poll_options (channel_id, number, position, text) values ('c', 1, 0, 'Sí')`,
      sql`poll_votes (channel_id, number, position, account_id) values ('c', 1, 0, 'eva')`,
      sql`secret_voters (channel_id, number, account_id) values ('c', 1, 'eva')`,
      sql`secret_counts (channel_id, number, position) values ('c', 1, 0)`,
    ])
      await sql`insert into ${insert}`.execute(db);
    await assert.rejects(
      sql`insert into poll_votes (channel_id, number, position, account_id) values ('c', 1, 1, 'eva')`.execute(
        db,
      ),
      /constraint/i,
    );
    if (engine === 'sqlite')
      await assert.rejects(sql`update secret_counts set votes = 1.5`.execute(db), /constraint/i);
    const counted = await sql`select votes, voters from secret_counts`.execute(db);
    assert.deepEqual(
      counted.rows.map((row) => Object.values(row as object)),
      [[0, 0]],
    );
    await sql`delete from comments where number = 1`.execute(db);
    for (const table of [
      ...['comment_files', 'polls', 'poll_options'],
      ...['poll_votes', 'secret_voters', 'secret_counts'],
    ]) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db);
      assert.deepEqual(rows, [], table);
    }
  });
}
