import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { debianVersion, nameUntagged } from './build-name.ts';

const whyNoDpkg = spawnSync('dpkg', ['--version']).error ? 'dpkg is not installed' : false;

test('dpkg sorts builds between two releases by the time of their commits', {
  skip: whyNoDpkg,
}, () => {
  const built = (time: string, commit: string) =>
    nameUntagged('1.0.0', Date.parse(time) / 1000, commit);
  const inOrder = [
    '1.0.0-rc.1',
    '1.0.0',
    built('2026-11-29T09:30:07Z', 'ffffffffffff'),
    built('2026-11-29T19:30:00Z', '000000000000'),
    built('2026-11-29T19:30:07Z', '9e1234567890'),
    built('2026-12-01T00:00:00Z', '0abcdef12345'),
    '1.0.1-rc.1',
    '1.0.1',
    '1.1.0',
  ].map(debianVersion);
  assert.equal(inOrder[4], '1.0.0+20261129.193007.9e1234567890');
  for (const [index, version] of inOrder.slice(1).entries()) {
    const args = ['--compare-versions', inOrder[index] ?? '', 'lt', version];
    assert.equal(spawnSync('dpkg', args).status, 0, args.join(' '));
  }
});
