import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigError } from './config.ts';
import { describeSettings, readSecretFiles, readSettings } from './settings-file.ts';
import { findProxyWarnings, findWarnings, isNetworkDisk } from './settings-warnings.ts';

describe('the settings file', () => {
  let folder: string;
  let first: string;
  let second: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-settings-'));
    [first, second] = [path.join(folder, 'first.env'), path.join(folder, 'second.env')];
    await writeFile(first, 'PORT=1\n', { mode: 0o600 });
    await writeFile(second, 'PORT=2\n', { mode: 0o600 });
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const warningsOf = (file: string) => findWarnings(readSettings(file, []), undefined);

  test('is the named one, or else the first that exists; a second one is reported as not read', () => {
    const portOf = (named: string | undefined, known: string[]) =>
      readSettings(named, known).values.PORT;
    assert.equal(portOf(second, [first, second]), '2');
    assert.equal(portOf(undefined, [`${first}.missing`, second]), '2');
    assert.equal(portOf(undefined, [`${first}.missing`]), undefined);
    assert.equal(portOf('/dev/null', [first]), undefined);
    const both = readSettings(undefined, [first, second]);
    assert.equal(both.values.PORT, '1');
    assert.equal(describeSettings(both), `${first} and the environment; ${second} is not read`);
    assert.match(findWarnings(both, undefined).join(), new RegExp(`${second} was not read`));
  });

  for (const [what, content, expected] of [
    ['missing', undefined, /does not exist\. Name another with --env-file/],
    ['a folder', 'folder', /is a folder/],
    ['binary', Buffer.from('PORT=3000\n\0'), /not a text file/],
    ['not in UTF-8', Buffer.from([0x50, 0x3d, 0xe9, 0x0a]), /not a text file in UTF-8/],
    ['with lines that end in CR alone', 'PORT=3000\rHOST=::1\r', /lines that end in CR alone/],
    ['larger than 1 MB', Buffer.alloc(1_000_001, '\n'), /larger than 1 MB/],
  ] as const) {
    test(`that is ${what} is a wrong setting`, async () => {
      const file = path.join(folder, what);
      if (content === 'folder') await mkdir(file);
      else if (content) await writeFile(file, content);
      assert.throws(
        () => readSettings(file, []),
        (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, expected);
          return true;
        },
      );
    });
  }

  test('causes a warning when other users can write it, or read the secrets in it', async () => {
    const file = path.join(folder, 'open.env');
    const warned = async (text: string, mode: number) => {
      await rm(file, { force: true });
      await writeFile(file, text);
      await chmod(file, mode);
      return warningsOf(file).join();
    };
    assert.match(await warned('PORT=3000', 0o620), /other users .* can write/);
    assert.equal(await warned('PORT=3000', 0o644), '');
    assert.match(await warned('S3_SECRET_ACCESS_KEY=secreto', 0o644), /can read the secrets in/);
    assert.equal(await warned('S3_SECRET_ACCESS_KEY=secreto', 0o640), '');
  });

  test('of a secret is named by <secret>_FILE, which excludes the setting of the secret', async () => {
    const file = path.join(folder, 'secret');
    await writeFile(file, 'postgres://u:secreto@h/d\n');
    const env: Record<string, string | undefined> = { DATABASE_URL_FILE: file };
    readSecretFiles(env);
    assert.deepEqual(env, { DATABASE_URL: 'postgres://u:secreto@h/d' });
    const both = { S3_SECRET_ACCESS_KEY: 'a', S3_SECRET_ACCESS_KEY_FILE: file };
    assert.throws(() => readSecretFiles(both), /S3_SECRET_ACCESS_KEY_FILE are set: remove one/);
    const missing = { DATABASE_URL_FILE: `${file}.no` };
    assert.throws(
      () => readSecretFiles(missing),
      /The file of DATABASE_URL_FILE, .* does not exist/,
    );
    for (const [text, problem] of [
      ['', /is empty/],
      ['\r\n', /is empty/],
      ['postgres://u:secreto@h/d\npostgres://u:secreto@h/e\n', /has more than one line/],
    ] as const) {
      await writeFile(file, text);
      assert.throws(() => readSecretFiles({ DATABASE_URL_FILE: file }), problem);
    }
  });
});

test('warns when PUBLIC_URL or TRUST_PROXY is missing behind a proxy', () => {
  const publicUrl = 'https://foro.example';
  for (const [config, expected] of [
    [{ trustProxy: 1, publicUrl: undefined }, /Set PUBLIC_URL\.$/],
    [{ trustProxy: 0, publicUrl }, /Set TRUST_PROXY=1\.$/],
    [{ trustProxy: 1, publicUrl }, /^$/],
    [{ trustProxy: 0, publicUrl: undefined }, /^$/],
  ] as const) {
    assert.match(findProxyWarnings(config).join(), expected);
  }
});

test('knows the network disks on which SQLite cannot rely on locks', () => {
  const nfs = 0x6969;
  const [cifs, smb] = [0xff534d42, 0xfe534d42];
  // As a 32-bit system gives it.
  const negative = cifs - 2 ** 32;
  assert.deepEqual([nfs, cifs, smb, negative].map(isNetworkDisk), Array(4).fill(true));
  const [ext4, tmpfs, overlay] = [0xef53, 0x01021994, 0x794c7630];
  assert.deepEqual([ext4, tmpfs, overlay].map(isNetworkDisk), Array(3).fill(false));
});

test('looks for a network disk above a data folder that does not exist yet', () => {
  const config = {
    port: 0,
    dataDir: path.join(tmpdir(), 'missing/folder'),
    databaseUrl: undefined,
  };
  assert.deepEqual(findWarnings(readSettings(undefined, []), config), []);
});
