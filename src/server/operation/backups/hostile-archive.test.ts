import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Header, type HeaderData } from 'tar';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { OtherVersion } from '../../database/errors.ts';
import { migrationNames } from '../../database/migrations/migrate.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter, encodeEnd, endBytes } from './archive-writer.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { verifyBackup } from './verify-backup.ts';

interface Entry {
  name: string;
  bytes: Buffer;
}

const entry = (name: string, ...lines: unknown[]): Entry => ({
  name: `${name}.ndjson`,
  bytes: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
});
const rows = (table: string, ...lines: unknown[]) => entry(`rows/${table}.000001`, ...lines);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** Describes a list of lines as the backup's manifest does. */
const listOf = ({ bytes }: Entry) => ({
  count: bytes.toString().split('\n').length - 1,
  sha256: sha256(bytes),
});

/** The header of a tar entry. */
function header(fields: Partial<HeaderData>): Buffer {
  const bytes = Buffer.alloc(512);
  const usual = { path: 'images/x.full', type: 'File', size: 0, mode: 0o600 } as const;
  new Header({ ...usual, ...fields }).encode(bytes);
  return bytes;
}

function block(text: string): Buffer {
  return Buffer.concat([Buffer.from(text), Buffer.alloc(512 - text.length)]);
}

describe('a hostile archive', () => {
  let folder: TemporaryFolder;
  let file: string;
  let entries: Entry[];
  before(async () => {
    folder = await temporaryFolder('archive');
    file = path.join(folder.path, 'backup.tar');
    await using forum = await Forum.start('sqlite');
    await addCover(forum, 1000);
    await makeBackup(forum.services, file, async () => {});
    entries = await Array.fromAsync(readArchive(file));
  });
  after(() => folder?.[Symbol.asyncDispose]());

  const find = (name: RegExp) => entries.find((one) => name.test(one.name)) ?? assert.fail();
  const imageKeys = () =>
    entries.flatMap(({ name }) => (/^images\//.test(name) ? name.slice('images/'.length) : []));

  /** Writes a backup with these entries before its manifest, and a valid checksum. */
  async function forge(
    more: Entry[],
    change: (manifest: Manifest) => object = (manifest) => manifest,
    isKept: (entry: Entry) => boolean = () => true,
  ): Promise<string> {
    const forged = path.join(folder.path, 'forged.tar');
    await using handle = await open(forged, 'w');
    const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
    const manifest = change(JSON.parse(find(/^manifest/).bytes.toString()));
    const last = { name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) };
    const kept = entries.slice(0, -1).filter(isKept);
    for (const { name, bytes } of [...kept, ...more, last]) await archive.add(name, bytes);
    await archive.finish();
    return forged;
  }

  /** Writes a backup whose manifest describes one of its tables otherwise. */
  const forgeTable = (more: Entry[], table: string, list: object | undefined) =>
    forge(more, ({ tables, ...manifest }) => ({
      ...manifest,
      tables: { ...tables, [table]: list },
    }));

  async function expectRejected(
    forged: string,
    message: RegExp,
    kind: new (...args: never[]) => Error = DamagedBackup,
  ) {
    await assert.rejects(verifyBackup(forged), (error) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    });
  }

  test('is rejected when it has a table that no backup has, or rows that its manifest does not list', async () => {
    for (const table of ['constructor', '__proto__', 'hasOwnProperty', 'kysely_migration']) {
      const foreign = rows(table, { id: 'x' });
      const message = RegExp(`rows/${table}.000001.ndjson: unknown table`);
      await expectRejected(await forge([foreign]), message);
      await expectRejected(await forgeTable([foreign], table, listOf(foreign)), message);
    }
    const named = await forgeTable([], 'constructor', listOf(rows('constructor')));
    await expectRejected(named, /rows\/constructor: unknown table/);
    const unlisted = [rows('passkeys', { id: 'x' })];
    await expectRejected(
      await forgeTable(unlisted, 'passkeys', undefined),
      /rows\/passkeys is not in manifest\.json/,
    );
  });

  test('is rejected when it has a table that is missing or has other columns', async () => {
    const site = find(/^rows\/site\./);
    const row = JSON.parse(site.bytes.toString());
    for (const line of [
      { ...row, more: 1 },
      { ...row, epoch: undefined },
    ]) {
      const added = entry('rows/site.000002', row, line);
      const list = listOf({ name: '', bytes: Buffer.concat([site.bytes, added.bytes]) });
      const forged = await forgeTable([added], 'site', list);
      await expectRejected(forged, /rows\/site has other columns than that table/);
    }
    const lacking = await forgeTable([], 'passkeys', undefined);
    await expectRejected(lacking, /rows\/passkeys is missing/);
  });

  test('is rejected when it has an entry twice, a line that is no row, or a name that points outside its folder', async () => {
    const again = await forge([find(/^rows\/accounts\./)]);
    await expectRejected(again, /rows\/accounts\.000001\.ndjson is a duplicate entry/);
    for (const line of [null, 'x', 7, [1], { id: { sql: 'drop' } }, { id: true }]) {
      const forged = await forge([rows('passkeys', line)]);
      await expectRejected(forged, /rows\/passkeys\.000001\.ndjson: a line is not a row/);
    }
    for (const name of ['../x', '/etc/x', 'images/../../x.full', 'images/a/b.full']) {
      const forged = await forge([{ name, bytes: Buffer.from('x') }]);
      await expectRejected(forged, /does not belong in a backup/);
    }
  });

  test('is rejected when it has an image that is missing, not listed, or not the one that its rows refer to', async () => {
    const [omitted = ''] = imageKeys();
    const other = { name: 'images/other.full', bytes: Buffer.from('x') };
    const isKept = ({ name }: Entry) => name !== `images/${omitted}`;
    const lacking = await forge([other], undefined, isKept);
    await expectRejected(lacking, RegExp(`the image ${omitted} is missing`));
    await expectRejected(lacking, /the image other\.full is not listed/);
    const countedWrong = await forge([], (manifest) => ({ ...manifest, images: 5 }));
    await expectRejected(countedWrong, /it has 4 image files instead of 5/);

    // The list is consistent with the images, and neither with the rows.
    const lines = find(/^pictures/)
      .bytes.toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const listed = lines.filter(({ key }) => key !== omitted);
    const line = { key: 'other.full', bytes: 1, sha256: sha256(other.bytes), problem: null };
    const pictures = entry('pictures.000001', ...listed, line);
    const consistent = await forge(
      [other, pictures],
      (manifest) => ({ ...manifest, pictures: listOf(pictures) }),
      (one) => isKept(one) && !/^pictures/.test(one.name),
    );
    await expectRejected(consistent, RegExp(`the rows refer to ${omitted}, which is not listed`));
    await expectRejected(consistent, /no row refers to the image other\.full/);
  });

  test('is rejected when its migrations are unknown or in an impossible order', async () => {
    const withMigrations = (migrations: string[], more: Entry[] = []) =>
      forge(more, (manifest) => ({ ...manifest, migrations }));
    await expectRejected(await withMigrations(['constructor']), /constructor/, OtherVersion);
    // Tables of another version do not make a backup count as damaged.
    const mottoes = [rows('mottoes', { id: 'x' })];
    const other = await withMigrations(['001-baseline-00000000'], mottoes);
    await expectRejected(other, /from before 1\.0\.0/, OtherVersion);
    const [first = ''] = migrationNames;
    const twice = await withMigrations([first, first]);
    await expectRejected(twice, /lists migrations in an impossible order/);
  });

  for (const [kind, blocks] of Object.entries({
    'a symbolic link': header({ type: 'SymbolicLink', linkpath: '/etc/passwd' }),
    'a link': header({ type: 'Link', linkpath: 'rows/accounts.000001.ndjson' }),
    'a folder': header({ type: 'Directory' }),
    'a device': header({ type: 'CharacterDevice' }),
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
      const forged = path.join(folder.path, 'forged.tar');
      await writeFile(forged, Buffer.concat([body, encodeEnd(createHash('sha256').update(body))]));
      await expectRejected(forged, /which no backup has|damaged or truncated after manifest\.json/);
    });
  }
});
