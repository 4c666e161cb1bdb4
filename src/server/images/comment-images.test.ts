import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { Forum } from '../../../test/forum/forum.ts';
import type { StoredFile } from '../../shared/images.ts';
import { requireImages } from './image-queries.ts';

test('two concurrent comments with the same images in different order do not deadlock on PostgreSQL', async () => {
  await using forum = await Forum.start('postgres');
  const { db } = forum.services;
  const author = await forum.person();
  const owner = { accountId: author.id, use: 'comment' } as const;
  const upload = async (filename: string) => {
    const bytes = await quarters(40, 16).png().toBuffer();
    const response = await forum.upload(author, bytes, { filename, use: 'comment' });
    return ((await response.json()) as StoredFile).downloadURL;
  };
  // The images are stored in the reverse order of their names.
  const later = await upload('z.png');
  const earlier = await upload('a.png');
  const isOneWaiting = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(db);
    return rows.length === 1;
  };

  let second: Promise<void> = Promise.resolve();
  await db.transaction().execute(async (first) => {
    await requireImages(first, owner, [earlier], Date.now());
    second = db
      .transaction()
      .execute((trx) => requireImages(trx, owner, [later, earlier], Date.now()));
    await eventually('the second one waits', isOneWaiting);
    await requireImages(first, owner, [later], Date.now());
  });
  await assert.doesNotReject(second);
});
