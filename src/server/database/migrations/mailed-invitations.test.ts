import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`013 keeps the queue of mails, and adds invitations that end with those they are used by (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '012-announcements' });
    await sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
      values ('eva', 'Eva', '', 'eva', '', 1)`.execute(db);
    await sql`insert into mails (id, account_id, kind, rank, email, created_at_ms, ends_at_ms, tries, next_try_at_ms, sent_at_ms)
      values ('m1', 'eva', 'notices', 2, null, 2, 3, 4, 5, null),
        ('m2', 'eva', 'address-changed', 1, 'e@f.example', 6, 7, 0, null, 8)`.execute(db);
    const queue = async () =>
      (
        await sql<object>`select id, kind, rank, email, created_at_ms, ends_at_ms, tries,
          next_try_at_ms, sent_at_ms from mails order by id`.execute(db)
      ).rows;
    const before = await queue();
    await migrate(db, { upTo: '013-mailed-invitations' });
    assert.equal(before.length, 2);
    assert.deepEqual(await queue(), before);

    await sql`insert into invitations (id, code_hash, account_id, uses, created_at_ms, ends_at_ms)
      values ('i', 'h', 'eva', 1, 1, 2)`.execute(db);
    const invited = sql`insert into mailed_invitations (id, email, email_key, name, code, created_at_ms, ends_at_ms)
      values ('i', 'a@b.example', 'a@b.example', '', 'c', 1, 2)`;
    await invited.execute(db);
    await assert.rejects(invited.execute(db), /unique/i);
    const mail = (kind: string, id: string | null) =>
      sql`insert into mails (id, account_id, invitation_id, kind, rank, created_at_ms, ends_at_ms)
        values (${kind}, 'eva', ${id}, ${kind}, 4, 1, 2)`.execute(db);
    await assert.rejects(mail('invitation', null), /constraint/i);
    await assert.rejects(mail('news', 'i'), /constraint/i);
    await mail('invitation', 'i');
    await sql`delete from invitations`.execute(db);
    assert.deepEqual(await queue(), before);
  });
}
