import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import type { Tables } from '../tables.ts';
import { migrate } from './migrate.ts';

const [eva, channel] = ['eva', 'canal'];

for (const engine of engines) {
  test(`003 adds the images of cases, and leaves the first, the reported and the newest versions of 1.0.0 (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '001-baseline' });
    await fill(db as unknown as Kysely<Tables>);
    await migrate(db, { upTo: '003-case-images' });

    const images = await db
      .selectFrom('case_images')
      .selectAll()
      .orderBy('case_id')
      .orderBy('url')
      .execute();
    assert.deepEqual(
      images.map(({ case_id, url }) => `${case_id} ${url}`),
      ['decidido /files/b', 'decidido /files/c', 'denuncia /files/a'],
    );
    const newest = Array.from({ length: 48 }, (_, index) => 33 + index);
    for (const table of ['comment_versions', 'comment_version_images'] as const)
      for (const number of [1, 2]) {
        const left = await db
          .selectFrom(table)
          .select('revision')
          .where('number', '=', number)
          .orderBy('revision')
          .execute();
        const revisions = left.map(({ revision }) => revision);
        assert.deepEqual(revisions, number === 1 ? [1, 7, ...newest] : [1, 2, 3], table);
      }
    const ofChannel = await db
      .selectFrom('channel_versions')
      .select('revision')
      .orderBy('revision')
      .execute();
    assert.deepEqual(
      ofChannel.map(({ revision }) => revision),
      [1, ...newest],
    );
    const marked = await db
      .selectFrom('images')
      .select('url')
      .where('used_at_ms', '=', 0)
      .orderBy('url')
      .execute();
    assert.deepEqual(
      marked.map(({ url }) => url),
      ['/files/comentario-8', '/files/portada-8'],
    );
  });
}

/** A comment and a channel with eighty versions, another comment with three, and two cases. */
async function fill(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
    values (${eva}, 'Eva', '', ${eva}, '', 1)
  `.execute(db);
  await sql`
    insert into channels (id, account_id, name, description, cover, cover_alt, comment_count,
      last_comment_number, created_at_ms)
    values (${channel}, ${eva}, 'Cine', '', '', '', 2, 2, 1)
  `.execute(db);
  for (let revision = 1; revision <= 80; revision++) {
    await addVersion(db, 1, revision);
    if (revision <= 3) await addVersion(db, 2, revision);
    await sql`
      insert into channel_versions
        (channel_id, revision, name, description, cover, cover_alt, replaced_at_ms)
      values (${channel}, ${revision}, '', '', ${`/files/portada-${revision}`}, '', 1)
    `.execute(db);
  }
  for (const name of ['comentario-7', 'comentario-8', 'comentario-40', 'portada-8', 'portada-40'])
    await sql`
      insert into images (full_path, path_key, url, image_id, account_id, use, content_type, size_bytes,
        stored_bytes, md5, content_hash, width, height, largest_variant, created_at_ms, updated_at_ms,
        used_at_ms)
      values (${name}, ${name}, ${`/files/${name}`}, ${name}, ${eva}, 'comment', '', 1, 1, '', '', 1, 1, 1, 1,
        1, 1)
    `.execute(db);
  // The open case keeps the seventh version; the other one, which was decided, keeps none.
  for (const [id, revision, decidedAtMs, urls] of [
    ['denuncia', 7, null, ['/files/a', '/files/a', 'https://otro.example/x.png']],
    ['decidido', 8, 1, ['/files/b', '/files/c']],
  ] as const)
    await sql`
      insert into cases (id, subject_kind, subject_id, account_id, text, images, revision, report_count,
        opened_at_ms, decided_at_ms)
      values (${id}, 'comment', ${`${channel}-1`}, ${eva}, '',
        ${JSON.stringify(urls.map((url) => ({ url, alt: '' })))}, ${revision}, 1, 1, ${decidedAtMs})
    `.execute(db);
}

async function addVersion(db: Kysely<Tables>, number: number, revision: number): Promise<void> {
  await sql`
    insert into comment_versions (channel_id, number, revision, text, replaced_at_ms)
    values (${channel}, ${number}, ${revision}, '', 1)
  `.execute(db);
  await sql`
    insert into comment_version_images (channel_id, number, revision, position, url, alt)
    values (${channel}, ${number}, ${revision}, 0, ${`/files/comentario-${revision}`}, '')
  `.execute(db);
}
