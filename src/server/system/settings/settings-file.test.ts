import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigError } from './config.ts';
import { describeSettings, readSecretFiles, readSettings } from './settings-file.ts';

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

  test('is the named one, or else the first that exists', () => {
    const portOf = (named: string | undefined, known: string[]) =>
      readSettings(named, known).values.PORT;
    assert.equal(portOf(second, [first, second]), '2');
    assert.equal(portOf(undefined, [`${first}.missing`, second]), '2');
    assert.equal(portOf(undefined, [`${first}.missing`]), undefined);
    assert.equal(portOf('/dev/null', [first]), undefined);
    const both = readSettings(undefined, [first, second]);
    assert.equal(both.values.PORT, '1');
    assert.equal(describeSettings(both), `${first} and the environment`);
  });

  test('has one NAME=value a line, with comments, single quotes for spaces and #, and any ends of lines', async () => {
    const file = path.join(folder, 'forms.env');
    const lines = ['\uFEFFPORT=1', '# PORT=2', "MAIL_FROM='Foro #1 <foro@foro.example>'", 'EMPTY='];
    for (const end of ['\n', '\r\n']) {
      await writeFile(file, lines.join(end));
      const { values } = readSettings(file, []);
      assert.deepEqual(
        { ...values },
        { PORT: '1', MAIL_FROM: 'Foro #1 <foro@foro.example>', EMPTY: '' },
      );
    }
  });

  test('a file in Latin-1 is a wrong setting, which names the line', async () => {
    const file = path.join(folder, 'latin1.env');
    await writeFile(file, Buffer.from('PORT=1\n# año\nMAIL_FROM=a@foro.example\n', 'latin1'));
    assert.throws(
      () => readSettings(file, []),
      (error) =>
        error instanceof ConfigError &&
        /latin1\.env is not in UTF-8: line 2 has a letter in another encoding/.test(error.message),
    );
  });

  test('a settings file that is missing or a folder is a wrong setting', () => {
    for (const [file, expected] of [
      [`${first}.missing`, /first\.env\.missing does not exist/],
      [folder, new RegExp(`The settings file ${folder} cannot be read: EISDIR`)],
    ] as const) {
      assert.throws(
        () => readSettings(file, []),
        (error) => error instanceof ConfigError && expected.test(error.message),
      );
    }
  });

  test('<secret>_FILE names the file of a secret, and excludes the setting of the secret', async () => {
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
