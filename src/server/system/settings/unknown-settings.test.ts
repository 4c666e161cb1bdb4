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

test('an unknown name in the file is reported, with the setting that it resembles', () => {
  for (const [misspelt, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['data_dir', 'DATA_DIR'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['BAKCUP_KEEP', 'BACKUP_KEEP'],
    ['SMTP_URI', 'SMTP_URL'],
  ] as const) {
    const expected = `${misspelt} in /etc/x.env is not a setting: did you mean ${meant}?`;
    assert.equal(inFile(misspelt), expected);
  }
  assert.equal(inFile('COLOUR'), 'COLOUR in /etc/x.env is not a setting');
});

test('an unknown name in the environment is reported once if it begins like a setting', () => {
  assert.equal(
    inEnvironment('BACKUP_KEEPS', 'DATABSE_URL'),
    'BACKUP_KEEPS in the environment is not a setting: did you mean BACKUP_KEEP?',
  );
  const values = { S3_KEY: 'valor' };
  assert.equal(findUnknownSettings({ file: '/etc/x.env', values }, values).length, 1);
});

test('settings, and names of other programs, are not reported', () => {
  const others = ['TZ', 'NODE_OPTIONS', 'HTTPS_PROXY', 'PGSSLROOTCERT', 'AWS_REGION'];
  assert.equal(inFile(...settingNames(), 'SMTP_URL_FILE', ...others), '');
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
