import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { ConfigError, parseConfig, settingNames } from './config.ts';

const wrongIn = (env: Record<string, string>, program?: string) => {
  try {
    parseConfig(env, program);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
};

/** Creates the files that distinguish a release from a clone. */
async function makeRelease(folder: string): Promise<void> {
  // A release contains only a few of the client's source files.
  for (const file of ['bin/tertulia', 'src/client/ui/styles/tokens.css']) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), '');
  }
}

test('a release needs DATA_DIR, and a clone does not', async () => {
  await using folder = await temporaryFolder('release');
  await makeRelease(folder.path);
  assert.match(wrongIn({}, folder.path), /DATA_DIR is missing: a release needs it/);
  assert.match(wrongIn({ DATA_DIR: ' ' }, folder.path), /DATA_DIR is missing/);
  assert.equal(wrongIn({ DATA_DIR: '/var/lib/tertulia' }, folder.path), '');
  assert.equal(wrongIn({}), '');
  assert.ok(settingNames().includes('DATA_DIR'));
});

test('DATA_DIR inside a release is refused, also through a symbolic link', async () => {
  await using folder = await temporaryFolder('releases');
  const release = path.join(folder.path, 'releases/1.0.0');
  await makeRelease(release);
  await symlink('releases/1.0.0', path.join(folder.path, 'current'));
  for (const DATA_DIR of [
    release,
    path.join(release, 'a/b'),
    path.join(folder.path, 'current/a'),
  ]) {
    assert.match(wrongIn({ DATA_DIR }), /is inside the release .*\/releases\/1\.0\.0, which/);
  }
  assert.equal(wrongIn({ DATA_DIR: path.join(folder.path, 'data') }), '');
  // A clone keeps its data when it is updated.
  await mkdir(path.join(release, 'scripts'));
  await writeFile(path.join(release, 'scripts/prepare.js'), '');
  assert.equal(wrongIn({ DATA_DIR: path.join(release, 'data') }), '');
});

test('DATA_DIR may be below a folder that has only the command', async () => {
  await using folder = await temporaryFolder('usr');
  await mkdir(path.join(folder.path, 'bin'));
  await writeFile(path.join(folder.path, 'bin/tertulia'), '');
  assert.equal(wrongIn({ DATA_DIR: path.join(folder.path, 'var/lib/tertulia') }), '');
});

test('a path that begins with ~ is refused', () => {
  assert.match(wrongIn({ DATA_DIR: '~/foro' }), /DATA_DIR must be a whole path, not "~\/foro"/);
  assert.equal(wrongIn({ DATA_DIR: '/srv/~foro' }), '');
});
