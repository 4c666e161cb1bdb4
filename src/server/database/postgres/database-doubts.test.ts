import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createPostgresDatabase } from '../../../../test/forum/forum.ts';
import { openDatabase } from '../engine.ts';
import { findDoubts } from './database-doubts.ts';

async function open(options: Parameters<typeof createPostgresDatabase>[0]) {
  const { url, drop } = await createPostgresDatabase(options);
  const db = openDatabase({ databaseUrl: url, dataDir: '' });
  const close = async () => {
    await db.destroy();
    await drop();
  };
  return { db, [Symbol.asyncDispose]: close };
}

test('a collation that changed since the database was made is named, until the named commands have run', async () => {
  await using opened = await open({ locale: 'es-ES' });
  const { db } = opened;
  assert.deepEqual(await findDoubts(db), []);
  await sql`
    update pg_database set datcollversion = '1.2' where datname = current_database()
  `.execute(db);
  const [doubt = '', ...others] = await findDoubts(db);
  assert.deepEqual(others, []);
  assert.match(doubt, /was of version 1\.2 and is now of [\d.]+/);
  const commands = doubt.match(/(reindex|alter) database "\w+"[\w ]*/g) ?? [];
  assert.equal(commands.length, 2);
  for (const command of commands) await sql.raw(command).execute(db);
  assert.deepEqual(await findDoubts(db), []);
});

test('a database in SQL_ASCII is named', async () => {
  await using opened = await open({ encoding: 'SQL_ASCII' });
  const doubts = await findDoubts(opened.db);
  assert.equal(doubts.length, 1);
  assert.match(doubts[0] ?? '', /has the encoding SQL_ASCII, .*encoding 'UTF8'/);
});
