import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exitCodes } from './exit-codes.ts';

const project = path.join(import.meta.dirname, '../../../..');
const units = ['tertulia.service'];
const systemdAnalyze = '/usr/bin/systemd-analyze';
const skip = !existsSync(systemdAnalyze) && `${systemdAnalyze} is not installed`;
/** The scale of `systemd-analyze security`: 0 is no exposure, 10 a unit without restrictions. */
const mostExposure = 2;

const pathOf = (unit: string) => path.join(project, 'deploy', unit);

function readUnit(unit: string): Map<string, string> {
  const settings = readFileSync(pathOf(unit), 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  return new Map([...settings].map(([, name = '', value = '']) => [name, value]));
}

test('the unit restarts the server after every crash, without a limit', () => {
  const unit = readUnit('tertulia.service');
  assert.equal(unit.get('Restart'), 'always');
  assert.equal(unit.get('StartLimitIntervalSec'), '0');
  assert.ok(Number(unit.get('RestartSec')) >= 1);
});

test('the unit does not restart the server when only an operator can fix the failure', () => {
  const prevented = readUnit('tertulia.service').get('RestartPreventExitStatus');
  assert.deepEqual(prevented?.split(' ').map(Number), Object.values(exitCodes));
  assert.ok(!prevented?.split(' ').includes('1'), 'code 1 is a crash');
});

test('systemd accepts the units', { skip }, async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-units-'));
  const files = units.map((unit) => path.join(folder.path, unit));
  for (const [i, unit] of units.entries()) {
    const text = await readFile(pathOf(unit), 'utf8');
    await writeFile(files[i] ?? '', text.replaceAll('/opt/tertulia/current', project));
  }
  const { status, stderr } = spawnSync(systemdAnalyze, ['verify', '--man=no', ...files]);
  assert.equal(status, 0, String(stderr));
  // systemd-analyze exits with 0 after a warning about an unknown setting.
  assert.doesNotMatch(String(stderr), /tertulia/);
});

test('the units restrict access to the machine', { skip }, (t) => {
  const services = units.filter((unit) => unit.endsWith('.service'));
  const { stdout } = spawnSync(systemdAnalyze, [
    ...['security', '--no-pager', '--offline=true'],
    ...services.map(pathOf),
  ]);
  const levels = [...String(stdout).matchAll(/exposure level for (\S+): ([\d.]+)/g)];
  assert.equal(levels.length, services.length, String(stdout));
  for (const [, unit, level] of levels) {
    t.diagnostic(`${unit}: ${level}`);
    assert.ok(Number(level) <= mostExposure);
  }
});
