import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { createPostgresDatabase, engines, Forum } from '../../../../test/forum/forum.ts';
import {
  killUpgrade,
  longMigration,
  longStatements,
  readContents,
} from '../../../../test/processes/killed-migration.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openDatabase } from '../../database/engine.ts';
import { OtherVersion, UnfitDatabase } from '../../database/errors.ts';
import { allMigrations } from '../../database/migrations/migrate.ts';
import type { Database } from '../../database/tables.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { readArchive } from './archive-reader.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { upgrade } from './upgrade.ts';
import { verifyBackup } from './verify-backup.ts';

const copiesOf = async (forum: Forum) =>
  (await readdir(path.join(forum.services.config.dataDir, 'backups')).catch(() => [])).map((name) =>
    path.join(forum.services.config.dataDir, 'backups', name),
  );

onBothEngines('an upgrade', (forum) => {
  /** Opens a connection in addition to the server's. */
  const withDatabase = async <T>(work: (db: Database) => Promise<T>) => {
    const db = openDatabase(forum().services.config, { noStatementTimeout: true });
    try {
      return await work(db);
    } finally {
      await db.destroy();
    }
  };
  const run = (migrations: typeof allMigrations, lines: string[] = []) =>
    withDatabase((db) =>
      upgrade(forum().services.config, db, (line) => lines.push(line), migrations),
    );

  test('copies nothing when no migration is pending, and removes the unfinished copies of killed attempts', async () => {
    await forum().person();
    const folder = path.join(forum().services.config.dataDir, 'backups');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'before-998-long-2026.tar.part'), '');
    await run(allMigrations);
    assert.deepEqual(await copiesOf(forum()), []);
  });

  // test/faults/full-disk-upgrade.fault.ts kills it after each statement, and fills the disk.
  test('changes nothing when it is killed or fails, and prints where the copy is', async () => {
    const before = await withDatabase(readContents);
    await killUpgrade(forum().services.config, longStatements);
    // This waits for the table locks, which PostgreSQL releases after the rollback.
    assert.deepEqual(await withDatabase(readContents), before);
    const failing = longMigration(async (done) => {
      if (done === longStatements) throw new Error('no such luck');
    });
    const lines: string[] = [];
    const earlier = await copiesOf(forum());
    const [copy = ''] = await assert
      .rejects(run(failing, lines), (error) => {
        assert.ok(error instanceof UnfitDatabase);
        assert.match(
          error.message,
          /^The migration failed \(no such luck\)\. The data is as it was/,
        );
        return true;
      })
      .then(() => copiesOf(forum()))
      .then((copies) => copies.filter((name) => !earlier.includes(name)));
    assert.deepEqual(await withDatabase(readContents), before);
    assert.equal(earlier.length, 1);
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.endsWith(copy));
    assert.match(path.basename(copy), /^before-998-long-\d{4}-.*Z\.tar$/);
  });

  test('leaves a copy of the former rows, and an older program rejects the newer database', async () => {
    const before = await withDatabase(readContents);
    await run(longMigration(async () => {}));
    const after = await withDatabase(readContents);
    assert.ok(after.migrations.includes('998-long'));
    assert.notDeepEqual(after.rows, before.rows);

    const copies = await copiesOf(forum());
    // Copies of earlier attempts stay: an operator may have restored an older backup in between.
    assert.equal(copies.length, 3);
    const [{ name = '' } = {}] = await rowsInArchive(copies.sort().at(-1) ?? '');
    assert.equal(name, 'Lucía Herrero');

    await assert.rejects(run(allMigrations), (error) => {
      assert.ok(error instanceof OtherVersion);
      assert.match(error.message, /998-long/);
      return true;
    });
    assert.deepEqual(await withDatabase(readContents), after);
  });
});

for (const engine of engines) {
  test(`a backup from before an upgrade is restored with the tables of the newer version (${engine})`, async (t) => {
    await using forum = await Forum.start(engine);
    await forum.person();
    const file = path.join(forum.services.config.dataDir, 'before.tar');
    await makeBackup(forum.services, file, async () => {});
    await using target = await temporaryFolder('newer');
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const env = { DATA_DIR: target.path, ...(database && { DATABASE_URL: database.url }) };
    const config = parseConfig(env);
    await restoreBackup(config, file, { migrations: longMigration(async () => {}) });
    const db = openDatabase(config);
    const { rows } = await sql`select motto from mottoes`.execute(db).finally(() => db.destroy());
    assert.deepEqual({ ...(rows[0] as object) }, { motto: 'Lucía Herrero' });
  });
}

async function rowsInArchive(file: string): Promise<{ name?: string }[]> {
  await verifyBackup(file);
  for await (const { name, bytes } of readArchive(file)) {
    if (name.startsWith('rows/accounts')) return [JSON.parse(bytes.toString())];
  }
  return [];
}
