import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { findText } from '../../../../test/forum/find-text.ts';
import { createPostgresDatabase, engines, Forum } from '../../../../test/forum/forum.ts';
import { eraseDueAccounts } from '../../accounts/erasure/erase-account.ts';
import { makeBackup } from '../../backups/make-backup.ts';
import { restoreBackup } from '../../backups/restore-backup.ts';
import { parseConfig } from '../../config/config.ts';
import { openSqlite } from '../database.ts';
import type { Database } from '../tables.ts';
import { migrate } from './migrate.ts';

const token = (id: string) => `\u0002${id}\u0003`;

/** A site of the version before, with mentions in everything that has a text. */
async function fillFormer(db: Database): Promise<void> {
  const insert = async (table: string, row: Record<string, string | number>) => {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    await sql`
      insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})
    `.execute(db);
  };
  for (const [id, name] of [
    ['ana', 'Ana María'],
    ['eva', 'Eva'],
    ['sol1', 'Sol'],
    ['sol2', 'Sol'],
  ] as const) {
    const account = { id, name, email: id, email_key: id, password_hash: '', created_at_ms: 1 };
    await insert('accounts', account);
  }
  for (const [id, name, more] of [
    // Somebody chose the name that erased accounts have.
    ['falsa', 'cuenta eliminada', {}],
    // The erasure of this account was interrupted before its name was erased.
    ['pau', 'Pau Prim', { erased_at_ms: 1, deletion_at_ms: 1, deletion_content: 'anonymous' }],
  ] as const) {
    const keys = { email: id, email_key: id, password_hash: '' };
    await insert('accounts', { id, name, ...keys, created_at_ms: 1, ...more });
  }
  await insert('channels', {
    ...{ id: 'c', account_id: 'eva', name: 'Cine', description: 'd', cover: '', cover_alt: '' },
    ...{ comment_count: 7, last_comment_number: 10, created_at_ms: 1, active_at_ms: 1 },
  });
  const none = { reply_count: 0, mention_count: 0, image_count: 0, thanks_count: 0 };
  const comment = (number: number, text: string, more = {}, table = 'comments') =>
    insert(table, {
      ...{ channel_id: 'c', number, account_id: 'eva', text, created_at_ms: 1, revision: 1 },
      ...none,
      ...more,
    });
  const quoting = (number: number, reply_to: number, reply_excerpt: string) =>
    comment(number, 'Sí', { reply_to, reply_excerpt });
  const mention = (number: number, start: number, length: number, account_id: string) =>
    insert('comment_mentions', { channel_id: 'c', number, start, length, account_id });
  const version = (number: number, text: string, revision = 1) =>
    insert('comment_versions', {
      ...{ channel_id: 'c', number, revision, text, replaced_at_ms: Date.now() },
    });

  // Ana had a shorter name when she was mentioned.
  await comment(1, 'Hola @Ana, y @Sol y @Sol.', { revision: 2, mention_count: 3 });
  await mention(1, 5, 4, 'ana');
  await mention(1, 13, 4, 'sol1');
  await mention(1, 20, 4, 'sol2');
  await version(1, '@Ana María, @Ana, @Anabel, x@Ana, @Sol, @nadie, @Eva');
  await quoting(2, 1, 'ola @An');
  await quoting(3, 1, '@Ana María, @Ana');
  await comment(4, 'Nada', { revision: 2 });
  await version(4, 'Antes @Ana María');
  await version(4, 'Antes @Pau Prim y @cuenta eliminada', 2);
  await quoting(5, 4, 'Antes @Ana');
  await quoting(6, 4, 'ada');
  await quoting(7, 6, 'Sí');
  await comment(8, '@Ana en la papelera', { deleted_at_ms: Date.now() }, 'deleted_comments');
  await mention(8, 0, 4, 'ana');
  await comment(9, 'Oculto @Ana', { hidden_at_ms: 2 }, 'hidden_comments');
  await mention(9, 7, 4, 'ana');
  // A mention whose comment is gone.
  await mention(10, 0, 4, 'ana');
}

for (const engine of engines) {
  test(`a backup from before mentions were in the texts is restored with them (${engine})`, async (t) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-mentions-'));
    const former = openSqlite(path.join(folder.path, 'former.db'));
    await migrate(former, { upTo: '015-whole-number-checks' });
    await fillFormer(former);
    const file = path.join(folder.path, 'former.tar');
    await makeBackup({ db: former, images: undefined }, file, async () => {});
    await former.destroy();

    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const env = {
      DATA_DIR: path.join(folder.path, 'restored'),
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    await mkdir(env.DATA_DIR);
    await restoreBackup(parseConfig(env), file);
    await using restored = await Forum.start(engine, env);
    const { db } = restored.deps;
    const comments = await db
      .selectFrom('comments')
      .select(['number', 'text', 'reply_excerpt'])
      .orderBy('number')
      .execute();
    assert.deepEqual(
      comments.map(({ number, text, reply_excerpt }) => [number, text, reply_excerpt]),
      [
        [1, `Hola ${token('ana')}, y ${token('sol1')} y ${token('sol2')}.`, null],
        [2, 'Sí', `ola ${token('ana')}`],
        [3, 'Sí', null],
        [4, 'Nada', null],
        [5, 'Sí', null],
        [6, 'Sí', 'ada'],
        [7, 'Sí', 'Sí'],
        [8, `${token('ana')} en la papelera`, null],
        [9, `Oculto ${token('ana')}`, null],
      ],
    );
    const versions = await db
      .selectFrom('comment_versions')
      .select('text')
      .orderBy('number')
      .orderBy('revision')
      .execute();
    const ana = token('ana');
    assert.deepEqual(
      versions.map(({ text }) => text),
      [
        `${ana}, ${ana}, @Anabel, x${ana}, @cuenta eliminada, @nadie, ${token('eva')}`,
        `Antes ${ana}`,
        `Antes ${token('pau')} y @cuenta eliminada`,
      ],
    );
    const [first] = await restored.allComments('c');
    assert.equal(first?.comment, 'Hola @Ana María, y @Sol y @Sol.');
    assert.deepEqual(
      first?.mentions.map(({ accountId }) => accountId),
      ['ana', 'sol1', 'sol2'],
    );
    const tables = await db.introspection.getTables();
    assert.ok(!tables.some(({ name }) => name === 'comment_mentions'));
    await db
      .updateTable('accounts')
      .set({ deletion_at_ms: 1, deletion_content: 'anonymous' })
      .where('id', '=', 'ana')
      .execute();
    await eraseDueAccounts(restored.deps);
    assert.deepEqual(await findText(restored, 'María'), []);
    const [renamed] = await restored.allComments('c');
    assert.equal(renamed?.comment, 'Hola @cuenta eliminada, y @Sol y @Sol.');
  });
}
