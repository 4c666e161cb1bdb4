import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import type { Database } from '../tables.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`007 deletes what belongs to a comment or channel with it, and what 1.0.0 left behind (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    await migrate(db, { upTo: '006-following' });
    await fill(db as unknown as Kysely<unknown>);
    await migrate(db);

    // The migration left out the rows of comment 3, which does not exist, and the images of version 2 of comment 1, which
    // has no row.
    const ofComment = (number: number) => [
      ...[`comment_images ${number}/0/uno`, `comment_images ${number}/1/dos`],
      ...[`comment_thanks ${number}/eva/7`, `comment_thanks ${number}/leo/7`],
      `comment_versions ${number}/1/antes`,
      `comment_version_images ${number}/1/0`,
    ];
    const ofChannel = ['channel_versions 1/Cine/antes', 'reading_positions leo/2/all'];
    assert.deepEqual(await readAll(db), [...ofComment(1), ...ofComment(2), ...ofChannel].sort());

    await sql`delete from comments where number = 1`.execute(db);
    assert.deepEqual(await readAll(db), [...ofComment(2), ...ofChannel].sort());
    await sql`delete from comment_versions`.execute(db);
    const withoutVersions = ofComment(2).filter((line) => !line.includes('version'));
    assert.deepEqual(await readAll(db), [...withoutVersions, ...ofChannel].sort());
    await assert.rejects(sql`delete from channels`.execute(db), /foreign key/i);
    await sql`delete from comments`.execute(db);
    await sql`delete from channels`.execute(db);
    assert.deepEqual(await readAll(db), []);
  });
}

const columns = {
  comment_images: ['number', 'position', 'url'],
  comment_thanks: ['number', 'account_id', 'created_at_ms'],
  comment_versions: ['number', 'revision', 'text'],
  comment_version_images: ['number', 'revision', 'position'],
  channel_versions: ['revision', 'name', 'description'],
  reading_positions: ['account_id', 'number', 'level'],
};

/** Each row of the tables that belong to a comment or channel, as a line. */
async function readAll(db: Database): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, names] of Object.entries(columns)) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where channel_id = 'canal'`.execute(db);
    lines.push(...rows.map((row) => `${table} ${names.map((name) => row[name]).join('/')}`));
  }
  return lines.sort();
}

async function fill(db: Kysely<unknown>): Promise<void> {
  const insert = (table: string, names: string, ...rows: (string | number)[][]) =>
    sql`insert into ${sql.table(table)} (${sql.raw(names)}) values ${sql.join(
      rows.map((row) => sql`(${sql.join(row.map((value) => sql.lit(value)))})`),
    )}`.execute(db);
  await insert(
    'accounts',
    'id, name, email, email_key, password_hash, created_at_ms',
    ...['eva', 'leo'].map((id) => [id, id, '', id, '', 1]),
  );
  await insert(
    'channels',
    'id, account_id, name, description, cover, cover_alt, comment_count, last_comment_number, created_at_ms',
    ['canal', 'eva', 'Cine', '', '', '', 2, 3, 1],
  );
  await insert(
    'comments',
    'channel_id, number, account_id, text, created_at_ms',
    ...[1, 2].map((number) => ['canal', number, 'eva', 'Hola', 1]),
  );
  for (const number of [1, 2, 3]) {
    const own = ['canal', number];
    await insert(
      'comment_images',
      'channel_id, number, position, url, alt',
      [...own, 0, 'uno', ''],
      [...own, 1, 'dos', ''],
    );
    await insert(
      'comment_thanks',
      'channel_id, number, account_id, created_at_ms',
      [...own, 'eva', 7],
      [...own, 'leo', 7],
    );
    await insert('comment_versions', 'channel_id, number, revision, text, replaced_at_ms', [
      ...own,
      ...[1, 'antes', 1],
    ]);
    await insert(
      'comment_version_images',
      'channel_id, number, revision, position, url, alt',
      [...own, 1, 0, 'tres', ''],
      [...own, 2, 0, 'tres', ''],
    );
  }
  await insert(
    'channel_versions',
    'channel_id, revision, name, description, cover, cover_alt, replaced_at_ms',
    ['canal', 1, 'Cine', 'antes', '', '', 1],
  );
  await insert('reading_positions', 'account_id, channel_id, number, level', [
    ...['leo', 'canal', 2, 'all'],
  ]);
}
