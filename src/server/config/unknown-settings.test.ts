import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingNames } from './config.ts';
import { findUnknownSettings } from './unknown-settings.ts';

const inFile = (...names: string[]) => {
  const values = Object.fromEntries(names.map((name) => [name, 'valor']));
  return findUnknownSettings({ file: '/etc/x.env', values }, {}).join('\n');
};
const inEnvironment = (...names: string[]) => {
  const environment = Object.fromEntries(names.map((name) => [name, 'valor']));
  return findUnknownSettings({ file: undefined, values: {} }, environment).join('\n');
};

for (const [misspelt, meant] of [
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['data_dir', 'DATA_DIR'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['TRUST_PROXIES', 'TRUST_PROXY'],
  ['BAKCUP_KEEP', 'BACKUP_KEEP'],
  ['S3_ACCES_KEY_ID', 'S3_ACCESS_KEY_ID'],
] as const) {
  test(`${misspelt} is misspelt for ${meant}, in the file and in the environment`, () => {
    const expected = `${misspelt} in /etc/x.env is not a setting: did you mean ${meant}?`;
    assert.equal(inFile(misspelt), expected);
    assert.equal(inEnvironment(misspelt), expected.replace('/etc/x.env', 'the environment'));
  });
}

test('names with the prefix of a setting are reported; in the environment only prefixes that no other program uses', () => {
  const ours = ['S3_USE_PATH_STYLE', 'METRICS_PATH', 'BACKUP_DIRECTORY'];
  assert.equal(inFile(...ours).split('\n').length, 3);
  assert.equal(inEnvironment(...ours).split('\n').length, 3);
  assert.match(
    inFile('SESSION_SECRET', 'DATABASE_PASSWORD'),
    /SESSION_SECRET.*\nDATABASE_PASSWORD/,
  );
});

test('settings, and names of other programs, are not reported', () => {
  const others = ['TZ', 'NODE_OPTIONS', 'HTTPS_PROXY', 'PGSSLROOTCERT', 'AWS_REGION'];
  assert.equal(inFile(...settingNames(), ...others), '');
  const system = ['PATH', 'HOME', 'HOSTNAME', 'LOGNAME', 'PWD', 'SHLVL', 'TERM', 'SESSION_MANAGER'];
  assert.equal(inEnvironment(...settingNames(), ...others, ...system, 'npm_config_cache'), '');
});

test('the guide and .env.example name every setting', () => {
  for (const file of ['docs/operating.md', '.env.example']) {
    const text = readFileSync(file, 'utf8');
    const missing = settingNames().filter((name) => !new RegExp(`[#\`]${name}\\b`).test(text));
    assert.deepEqual(missing, [], file);
  }
});
