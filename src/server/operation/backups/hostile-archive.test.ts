import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Header, type HeaderData } from 'tar';
import { Forum } from '../../../../test/forum/forum.ts';
import { OtherVersion } from '../../database/errors.ts';
import { migrationNames } from '../../database/migrations/migrate.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter, encodeEnd, endBytes } from './archive-writer.ts';
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

/** Describes an entry as the backup's manifest does. */
const listOf = ({ bytes }: Entry) => ({
  count: bytes.toString().split('\n').length - 1,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** The header of a tar entry. */
function header(fields: Partial<HeaderData>): Buffer {
  const bytes = Buffer.alloc(512);
  new Header({ path: 'images/x.full', type: 'File', size: 0, mode: 0o600, ...fields }).encode(
    bytes,
  );
  return bytes;
}

function block(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), Buffer.alloc(512 - text.length)]);
}

describe('a hostile archive', () => {
  let folder: string;
  let file: string;
  let forum: Forum;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-archive-'));
    file = path.join(folder, 'backup.tar');
    forum = await Forum.start('sqlite');
    await forum.channel(await forum.person());
    await makeBackup(forum.services, file, async () => {});
  });
  after(async () => {
    await forum?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Writes a backup with these changes and a valid checksum. */
  async function forge(
    more: Entry[],
    change: (manifest: Manifest) => Manifest = (manifest) => manifest,
  ): Promise<string> {
    const forged = path.join(folder, 'forged.tar');
    await using handle = await open(forged, 'w');
    const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
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

  async function expectRejected(
    forged: string,
    message: RegExp,
    kind: new (...args: never[]) => Error = DamagedBackup,
  ) {
    const isExpected = (error: unknown) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    };
    await assert.rejects(verifyBackup(forged), isExpected);
    const config = parseConfig({ DATA_DIR: path.join(folder, 'nothing here') });
    await assert.rejects(restoreBackup(config, forged), isExpected);
    await assert.rejects(stat(config.dataDir), { code: 'ENOENT' });
  }

  for (const table of [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'kysely_migration',
  ]) {
    test(`is rejected when it has rows of ${table}`, async () => {
      const entry = rows(table, { id: 'x' });
      const message = RegExp(`rows/${table}.000001.ndjson: unknown table`);
      await expectRejected(await forge([entry]), message);
      const listed = await forge([entry], (manifest) => ({
        ...manifest,
        tables: Object.fromEntries([...Object.entries(manifest.tables), [table, listOf(entry)]]),
      }));
      await expectRejected(listed, message);
    });
  }

  test('is rejected when its manifest lists an unknown table', async () => {
    const forged = await forge([], (manifest) => ({
      ...manifest,
      tables: { ...manifest.tables, constructor: listOf(rows('constructor')) } as never,
    }));
    await expectRejected(forged, /rows\/constructor: unknown table/);
  });

  test('is rejected when it has rows that its manifest does not list', async () => {
    const forged = await forge(
      [rows('rate_limits', { key: 'x', points: 1, expire: 1 })],
      (manifest) => {
        const { rate_limits, ...tables } = manifest.tables;
        return { ...manifest, tables };
      },
    );
    await expectRejected(forged, /rows\/rate_limits is not in manifest\.json/);
  });

  test('is rejected when it has an entry twice', async () => {
    const again = await Array.fromAsync(readArchive(file));
    const accounts = again.filter(({ name }) => name === 'rows/accounts.000001.ndjson');
    await expectRejected(
      await forge(accounts),
      /rows\/accounts\.000001\.ndjson is a duplicate entry/,
    );
  });

  test('is rejected when a line is not a row', async () => {
    for (const line of [null, 'x', 7, [1], { id: { sql: 'drop' } }, { id: true }]) {
      const forged = await forge([rows('rate_limits', line)]);
      await expectRejected(forged, /rows\/rate_limits\.000001\.ndjson: a line is not a row/);
    }
  });

  test('is rejected when an entry name points outside its folder', async () => {
    for (const name of [
      '../x',
      '/etc/x',
      'images/../../x.full',
      'images/a/b.full',
      'rows/../x.000001.ndjson',
    ]) {
      const forged = await forge([{ name, bytes: Buffer.from('x') }]);
      await expectRejected(forged, /does not belong in a backup/);
    }
  });

  test('is rejected when a table is missing or has other columns', async () => {
    const site = (await Array.fromAsync(readArchive(file))).find(({ name }) =>
      name.startsWith('rows/site.'),
    );
    const row = JSON.parse(site?.bytes.toString() ?? '');
    for (const line of [
      { ...row, more: 1 },
      { ...row, epoch: undefined },
    ]) {
      const entry = { ...rows('site', row, line), name: 'rows/site.000002.ndjson' };
      const both = Buffer.concat([site?.bytes ?? entry.bytes, entry.bytes]);
      const forged = await forge([entry], (manifest) => ({
        ...manifest,
        tables: { ...manifest.tables, site: listOf({ ...entry, bytes: both }) },
      }));
      await expectRejected(forged, /rows\/site has other columns than that table/);
    }
    const lacking = await forge([], ({ tables: { passkeys, ...tables }, ...manifest }) => ({
      ...manifest,
      tables,
    }));
    await expectRejected(lacking, /rows\/passkeys is missing/);
  });

  for (const [kind, blocks] of Object.entries({
    'a symbolic link': header({ type: 'SymbolicLink', linkpath: '/etc/passwd' }),
    'a link': header({ type: 'Link', linkpath: 'rows/accounts.000001.ndjson' }),
    'a folder': header({ type: 'Directory' }),
    'a device': header({ type: 'CharacterDevice' }),
    'a file of an old kind': header({ type: 'ContiguousFile' }),
    'a sparse file': header({ type: 'SparseFile' }),
    'a size beyond any image': header({ size: 2 ** 40 }),
    'a long name': [header({ type: 'NextFileHasLongPath', size: 6 }), block('../../x'), header({})],
    'an extended header': [
      header({ type: 'ExtendedHeader', size: 17 }),
      block('17 path=../../x\n'),
      header({}),
    ],
    'an extended header of a megabyte': [
      header({ type: 'ExtendedHeader', size: 2 ** 21 }),
      Buffer.alloc(2 ** 21),
    ],
    'a block of zeros': Buffer.alloc(512),
    'an end within it': Buffer.alloc(1024),
    'a damaged header': block('images/x.full'),
  })) {
    test(`is rejected when it has ${kind}`, async () => {
      const bytes = (await readFile(file)).subarray(0, -endBytes);
      const body = Buffer.concat([bytes, ...[blocks].flat()]);
      const forged = path.join(folder, 'forged.tar');
      await writeFile(forged, Buffer.concat([body, encodeEnd(createHash('sha256').update(body))]));
      await expectRejected(forged, /which no backup has|damaged or truncated after manifest\.json/);
    });
  }

  test('is rejected when its migrations are unknown or in an impossible order', async () => {
    const withMigrations = (migrations: string[]) =>
      forge([], (manifest) => ({ ...manifest, migrations }));
    await expectRejected(await withMigrations(['constructor']), /constructor/, OtherVersion);
    // Tables of another version do not make a backup count as damaged.
    const other = await forge([rows('mottoes', { id: 'x' })], (manifest) => ({
      ...manifest,
      migrations: ['001-baseline-00000000'],
      tables: { ...manifest.tables, mottoes: listOf(rows('mottoes', { id: 'x' })) },
    }));
    await expectRejected(other, /of another version of tertulia/, OtherVersion);
    await expectRejected(
      await withMigrations([migrationNames[0] ?? '', migrationNames[0] ?? '']),
      /lists migrations in an impossible order/,
    );
  });
});
