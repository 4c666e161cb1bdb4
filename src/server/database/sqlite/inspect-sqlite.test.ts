import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { UnfitDatabase } from '../errors.ts';
import { inspectSqlite } from './inspect-sqlite.ts';

describe('a server that starts on a data folder', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let file: string;
  beforeEach(async () => {
    folder = await temporaryFolder('inspect');
    dataDir = folder.path;
    file = path.join(dataDir, 'tertulia.db');
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  /** Expects the server to refuse to start in the folder, and to change nothing in it. */
  async function expectUnfit(message: RegExp) {
    const contents = async () => {
      const names = (await readdir(dataDir, { recursive: true })).filter((name) => /\./.test(name));
      const data = names.filter((name) => !/\.lock|-shm|-wal/.test(name)).sort();
      return Promise.all(
        data.map(async (name) => [name, await readFile(path.join(dataDir, name))]),
      );
    };
    const before = await contents();
    const starting = Forum.start('sqlite', { DATA_DIR: dataDir });
    await assert.rejects(
      starting.then((forum) => forum.stop()),
      (error) => {
        assert.ok(error instanceof UnfitDatabase);
        assert.match(error.message, message);
        return true;
      },
    );
    assert.deepEqual(await contents(), before);
  }

  /** Starts and stops a forum, which leaves a database. */
  const serveOnce = async () => {
    const forum = await Forum.start('sqlite', { DATA_DIR: dataDir });
    const rows = Array.from({ length: 2000 }, (_, i) => ({ key: `${i}`.repeat(9), points: i }));
    await forum.services.db.insertInto('rate_limits').values(rows).execute();
    await forum.stop();
  };

  test('accepts an empty folder, and one with a tertulia database', async () => {
    inspectSqlite(dataDir);
    await serveOnce();
    inspectSqlite(dataDir);
  });

  test('rolls back the hot journal of a first start that crashed', async () => {
    await serveOnce();
    const hot = new DatabaseSync(file);
    // The first start writes in this journal mode, before the database switches to WAL mode.
    hot.exec('pragma journal_mode = delete; pragma cache_spill = 1; pragma cache_size = 1; begin');
    hot.exec("update rate_limits set key = key || 'x'");
    const [cut, journal] = await Promise.all([readFile(file), readFile(`${file}-journal`)]);
    hot.exec('rollback');
    hot.close();
    await writeFile(file, cut);
    await writeFile(`${file}-journal`, journal);
    const forum = await Forum.start('sqlite', { DATA_DIR: dataDir });
    const rows = await forum.services.db.selectFrom('rate_limits').select('key').execute();
    await forum.stop();
    assert.ok(rows.length === 2000 && rows.every(({ key }) => !key.endsWith('x')));
  });

  test('rejects a database of another program, and a file that is not a database', async () => {
    const other = new DatabaseSync(file);
    other.exec('create table invoices (id integer primary key)');
    other.close();
    await expectUnfit(/another program's/);
    await writeFile(file, 'a letter to my grandmother, which is longer than a header '.repeat(100));
    await expectUnfit(/damaged, or no SQLite database/);
  });

  test('rejects a database that is truncated, or damaged in the middle', async () => {
    await serveOnce();
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, 4096 * 4));
    await expectUnfit(/damaged/);
    bytes.fill(0xa5, 4096 * 3, 4096 * 6);
    await writeFile(file, bytes);
    await expectUnfit(/damaged/);
  });

  test('accepts a database whose search index is damaged', async () => {
    await serveOnce();
    const damaged = new DatabaseSync(file, { defensive: false });
    damaged.exec("insert into search_docs_fts (rowid, tokens) values (1, 'hola')");
    damaged.exec("update search_docs_fts_data set block = x'00ff00ff' where id > 10");
    assert.notEqual(damaged.prepare('pragma quick_check').get()?.quick_check, 'ok');
    damaged.close();
    inspectSqlite(dataDir);
  });

  for (const what of ['images', 'backups']) {
    test(`creates no database in a folder that has ${what} but no database`, async () => {
      await mkdir(path.join(dataDir, what));
      await writeFile(path.join(dataDir, what, 'some.file'), 'bytes');
      await expectUnfit(/the database was lost/);
      await writeFile(file, '');
      await expectUnfit(/the database was lost/);
    });
  }
});
