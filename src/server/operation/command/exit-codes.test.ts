import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { exitCodes } from './exit-codes.ts';

const project = path.join(import.meta.dirname, '../../../..');
const unit = path.join(project, 'deploy/tertulia.service');
const systemdAnalyze = '/usr/bin/systemd-analyze';
const skip = !existsSync(systemdAnalyze) && `${systemdAnalyze} is not installed`;
/** The scale of `systemd-analyze security`: 0 is no exposure, 10 a unit without restrictions. */
const mostExposure = 2;

test('the unit restarts the server after every crash, without a limit, but not when only an operator can fix the failure', () => {
  const lines = readFileSync(unit, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  const settings = new Map([...lines].map(([, name = '', value = '']) => [name, value]));
  assert.equal(settings.get('Restart'), 'always');
  assert.equal(settings.get('StartLimitIntervalSec'), '0');
  assert.ok(Number(settings.get('RestartSec')) >= 1);
  const prevented = settings.get('RestartPreventExitStatus')?.split(' ').map(Number);
  assert.deepEqual(prevented, Object.values(exitCodes));
  assert.ok(!prevented?.includes(1), 'code 1 is a crash');
});

test('systemd accepts the unit, which restricts access to the machine', { skip }, async (t) => {
  await using folder = await temporaryFolder('units');
  const file = path.join(folder.path, 'tertulia.service');
  const text = await readFile(unit, 'utf8');
  await writeFile(file, text.replaceAll('/opt/tertulia/current', project));
  const { status, stderr } = spawnSync(systemdAnalyze, ['verify', '--man=no', file]);
  assert.equal(status, 0, String(stderr));
  // systemd-analyze exits with 0 after a warning about an unknown setting.
  assert.doesNotMatch(String(stderr), /tertulia/);
  const asked = ['security', '--no-pager', '--offline=true', unit];
  const { stdout } = spawnSync(systemdAnalyze, asked);
  const [, level = ''] = /exposure level for \S+: ([\d.]+)/.exec(String(stdout)) ?? [];
  t.diagnostic(level);
  assert.ok(level && Number(level) <= mostExposure, String(stdout));
});
