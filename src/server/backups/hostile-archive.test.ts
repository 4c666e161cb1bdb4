import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Forum } from '../../../test/forum/forum.ts';
import { parseConfig } from '../config.ts';
import { NewerDatabase } from '../database/unfit-database.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

interface Entry {
  name: string;
  bytes: Buffer;
}

const rows = (table: string, ...lines: unknown[]): Entry => ({
  name: `rows/${table}.000001.ndjson`,
  bytes: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
});

/** What a manifest would say of those lines. */
const listOf = ({ bytes }: Entry) => ({
  count: bytes.toString().split('\n').length - 1,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

describe('an archive that was made to do harm', () => {
  let folder: string;
  let file: string;
  let forum: Forum;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-archive-'));
    file = path.join(folder, 'backup.tar');
    forum = await Forum.start('sqlite');
    await forum.channel(await forum.person());
    await makeBackup(forum.deps, file, async () => {});
  });
  after(async () => {
    await forum?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A sound backup but for what is changed, sealed like any. */
  async function forge(
    more: Entry[],
    change: (manifest: Manifest) => Manifest = (manifest) => manifest,
  ): Promise<string> {
    const forged = path.join(folder, 'forged.tar');
    await rm(forged, { force: true });
    const archive = await ArchiveWriter.create(forged);
    for await (const { name, bytes } of readArchive(file)) {
      if (name !== 'manifest.json') await archive.add(name, bytes);
      else {
        for (const entry of more) await archive.add(entry.name, entry.bytes);
        const manifest = change(JSON.parse(bytes.toString()));
        await archive.add(name, Buffer.from(JSON.stringify(manifest)));
      }
    }
    await archive.finish();
    return forged;
  }

  async function expectRefused(
    forged: string,
    message: RegExp,
    kind: new (...args: never[]) => Error = DamagedBackup,
  ) {
    const refused = (error: unknown) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    };
    await assert.rejects(verifyBackup(forged), refused);
    const config = parseConfig({ DATA_DIR: path.join(folder, 'nothing here') });
    await assert.rejects(restoreBackup(config, forged), refused);
    await assert.rejects(stat(config.dataDir), { code: 'ENOENT' });
  }

  for (const table of [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'kysely_migration',
  ]) {
    test(`is refused by name when it has rows of ${table}`, async () => {
      const entry = rows(table, { id: 'x' });
      const told = RegExp(`rows/${table}.000001.ndjson: no such table is known`);
      await expectRefused(await forge([entry]), told);
      const listed = await forge([entry], (manifest) => ({
        ...manifest,
        tables: Object.fromEntries([...Object.entries(manifest.tables), [table, listOf(entry)]]),
      }));
      await expectRefused(listed, told);
    });
  }

  test('is refused when its manifest lists a table that there is not', async () => {
    const forged = await forge([], (manifest) => ({
      ...manifest,
      tables: { ...manifest.tables, constructor: listOf(rows('constructor')) } as never,
    }));
    await expectRefused(forged, /rows\/constructor: no such table is known/);
  });

  test('is refused when it has rows that its manifest does not list', async () => {
    const forged = await forge(
      [rows('rate_limits', { key: 'x', points: 1, expire: 1 })],
      (manifest) => {
        const { rate_limits, ...tables } = manifest.tables;
        return { ...manifest, tables };
      },
    );
    await expectRefused(forged, /rows\/rate_limits is not named in manifest\.json/);
  });

  test('is refused when an entry is in it twice', async () => {
    const again = await Array.fromAsync(readArchive(file));
    const accounts = again.filter(({ name }) => name === 'rows/accounts.000001.ndjson');
    await expectRefused(await forge(accounts), /rows\/accounts\.000001\.ndjson is in it twice/);
  });

  test('is refused when a line of it is no row', async () => {
    for (const line of [null, 'x', 7, [1], { id: { sql: 'drop' } }, { id: true }]) {
      const forged = await forge([rows('rate_limits', line)]);
      await expectRefused(forged, /rows\/rate_limits\.000001\.ndjson: a line of it is no row/);
    }
  });

  test('is refused when a name leads out of its folder', async () => {
    for (const name of [
      '../x',
      '/etc/x',
      'images/../../x.full',
      'images/a/b.full',
      'rows/../x.000001.ndjson',
    ]) {
      const forged = await forge([{ name, bytes: Buffer.from('x') }]);
      await expectRefused(forged, /is no part of a backup/);
    }
  });

  test('is refused when its migrations are unknown, or in an order that there never was', async () => {
    const withMigrations = (migrations: string[]) =>
      forge([], (manifest) => ({ ...manifest, migrations }));
    await expectRefused(await withMigrations(['constructor']), /constructor/, NewerDatabase);
    await expectRefused(
      await withMigrations(['002-rate-limits', '001-forum']),
      /names migrations in an order that there never was/,
    );
  });
});
