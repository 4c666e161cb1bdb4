import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/server/database/engine.ts';
import { migrationNames } from '../../src/server/database/migrations/migrate.ts';
import { fillDatabase } from '../../src/server/operation/backups/fill-database.ts';
import { makeBackup } from '../../src/server/operation/backups/make-backup.ts';
import { upgrade } from '../../src/server/operation/backups/upgrade.ts';
import { verifyBackup } from '../../src/server/operation/backups/verify-backup.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import { toStoredText } from '../../src/server/texts/stored-text.ts';
import { createPostgresDatabase, engines, Forum } from '../forum/forum.ts';
import {
  killUpgrade,
  longMigration,
  longStatements,
  readContents,
} from '../processes/killed-migration.ts';
import { outcomeOf, runTertulia } from '../processes/program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { noSmallDisk, SmallDisk } from './small-disk.ts';

test('a restore that fills the disk when the rows leave the log of SQLite fails, and leaves nothing', {
  skip: noSmallDisk,
}, async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-small-'));
  const file = path.join(folder.path, 'site.tar');
  {
    await using forum = await Forum.start('sqlite');
    const author = await forum.person();
    const { _id } = await forum.channel(author);
    const common = { channel_id: _id, account_id: author.id, created_at_ms: 1 };
    const text = toStoredText('palabra '.repeat(30));
    for (let first = 1; first < 4000; first += 100) {
      const rows = Array.from({ length: 100 }, (_, index) => ({
        ...common,
        text,
        number: first + index,
      }));
      await forum.services.db.insertInto('comments').values(rows).execute();
    }
    await makeBackup(forum.services, file, async () => {});
  }
  const disk = path.join(folder.path, 'disk');
  await mkdir(disk);
  // Enough for the rows once, but they are written to the log before the database.
  execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=4500k', 'tmpfs', disk]);
  const restore = (DATA_DIR: string) => outcomeOf(runTertulia({ DATA_DIR }, 'restore', file));
  try {
    const DATA_DIR = path.join(disk, 'data');
    const failed = await restore(DATA_DIR);
    assert.equal(failed.code, 1, failed.said);
    assert.match(failed.said, /database or disk is full/);
    const left = (await readdir(DATA_DIR)).filter((name) => name.includes('.db'));
    assert.deepEqual(left, []);
  } finally {
    execFileSync('/usr/bin/umount', [disk]);
  }
  assert.equal((await restore(path.join(folder.path, 'data'))).code, 0);
});

describe('a disk of 96 MB with a database of 30', { skip: noSmallDisk }, () => {
  test('refuses an upgrade and a backup that it has no space for, and takes comments afterwards', async (t: TestContext) => {
    const disk = new SmallDisk();
    try {
      const settings = { DATA_DIR: disk.folder };
      const config = parseConfig(settings);
      const backups = path.join(disk.folder, 'backups');
      {
        await using forum = await Forum.start('sqlite', settings);
        const author = await forum.person();
        const channel = await forum.channel(author);
        const version = { channel_id: channel._id, name: 'Cine', description: '', cover: '' };
        for (let revision = 1; revision <= 30; revision++) {
          const values = { ...version, description: 'x'.repeat(1_000_000) };
          const row = { ...values, cover_alt: '', revision, replaced_at_ms: 1 };
          await forum.services.db.insertInto('channel_versions').values(row).execute();
        }
      }
      // Delete the remains of a killed attempt first.
      await rm(backups, { recursive: true, force: true });
      const other = path.join(disk.folder, 'other');
      await writeFile(other, Buffer.alloc(20_000_000, 1));
      const lines: string[] = [];
      const refused = async () => {
        const db = openDatabase(config);
        const print = (line: string) => lines.push(line);
        const message = await upgrade(
          config,
          db,
          print,
          longMigration(async () => {}),
        ).then(
          () => assert.fail('the upgrade was not refused'),
          (error: unknown) => (error instanceof Error ? error.message : ''),
        );
        await db.destroy();
        assert.match(
          message,
          /^The upgrade to 998-long needs 6\d MB on the disk of .* MB may be used/,
        );
        t.diagnostic(message);
      };
      await refused();
      assert.deepEqual(await readdir(backups), []);
      await writeFile(path.join(backups, 'before-998-long-1.tar.part'), Buffer.alloc(5_000_000));
      await refused();
      assert.deepEqual(await readdir(backups), []);
      assert.deepEqual(lines, []);

      await writeFile(path.join(disk.folder, 'another'), Buffer.alloc(15_000_000, 1));
      const backup = await outcomeOf(runTertulia(settings, 'backup'));
      assert.equal(backup.code, 1, backup.said);
      assert.match(backup.said, /^The backup needs 3\d MB on the disk of/m);
      assert.deepEqual(await readdir(backups), []);

      await using forum = await Forum.start('sqlite', settings);
      const author = await forum.person();
      await forum.comment(author, (await forum.channel(author))._id, 'después');
    } finally {
      disk.remove();
    }
  });
});

for (const engine of engines) {
  test(`an upgrade from 1.0.0 that is killed after any statement of its migrations changes nothing (${engine})`, async (t) => {
    await using folder = await temporaryFolder('killed-upgrade');
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const config = parseConfig({
      DATA_DIR: folder.path,
      ...(database && { DATABASE_URL: database.url }),
    });
    const release = path.join(import.meta.dirname, '../releases/1.0.0.tar');
    const filling = openDatabase(config, { noStatementTimeout: true });
    await fillDatabase(filling, release, await verifyBackup(release), async () => {});
    await filling.destroy();
    const contents = async () => {
      // Waits for table locks, which PostgreSQL releases after the rollback.
      const db = openDatabase(config, { noStatementTimeout: true });
      return readContents(db).finally(() => db.destroy());
    };
    const before = await contents();
    assert.deepEqual(before.migrations, ['001-baseline']);
    let killed = 0;
    while (await killUpgrade(config, killed + 1)) {
      killed++;
      assert.deepEqual(await contents(), before);
    }
    assert.ok(killed > longStatements);
    assert.deepEqual((await contents()).migrations, [...migrationNames, '998-long']);
    t.diagnostic(`killed after each of ${killed} statements`);
  });
}
