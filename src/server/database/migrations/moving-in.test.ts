import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`015 lets only imported people have no address, and adds chats whose rows go with their channel (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '014-files-and-polls' });
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
      values ('eva', 'Eva', '', 'eva', '', 1)`.execute(db);
    await sql`insert into channels (id, account_id, name, description, cover, cover_alt,
        comment_count, last_comment_number, created_at_ms)
      values ('c', 'eva', 'Grupo', '', '', '', 1, 1, 1)`.execute(db);
    await sql`insert into comments (channel_id, number, account_id, text, created_at_ms)
      values ('c', 1, 'eva', 'hola', 2)`.execute(db);
    await migrate(db, { upTo: '015-moving-in' });

    const withoutAddress = (id: string, admission: string | null) =>
      sql`insert into accounts (id, name, email, password_hash, created_at_ms, admission)
        values (${id}, 'Ana', '', '', 1, ${admission})`.execute(db);
    for (const admission of [null, 'pending'])
      await assert.rejects(withoutAddress('x', admission), /constraint/i);
    await withoutAddress('ana', 'imported');
    await sql`insert into comments (channel_id, number, account_id, person_id, text, created_at_ms)
      values ('c', 2, 'ana', 'ana', 'adiós', 3)`.execute(db);
    const { rows } =
      await sql`select number, person_id from visible_comments order by number`.execute(db);
    assert.deepEqual(
      rows.map((row) => Object.values(row as object)),
      [
        [1, null],
        [2, 'ana'],
      ],
    );
    await sql`insert into imports (channel_id, account_id, state, plan, source_key, left_out, started_at_ms, changed_at_ms)
      values ('c', 'eva', 'running', '{}', 'k', '{}', 1, 1)`.execute(db);
    await sql`insert into imported_people (channel_id, source_hash, account_id)
      values ('c', 'h', 'ana')`.execute(db);
    await sql`delete from comments`.execute(db);
    await sql`delete from channels`.execute(db);
    for (const table of ['imports', 'imported_people'])
      assert.deepEqual((await sql`select 1 from ${sql.table(table)}`.execute(db)).rows, [], table);
  });
}
