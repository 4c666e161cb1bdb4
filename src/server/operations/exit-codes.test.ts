import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { exitCodes } from './exit-codes.ts';

const project = path.join(import.meta.dirname, '../../..');
const systemdAnalyze = '/usr/bin/systemd-analyze';

/** The systemd unit in the documentation. */
function readUnitFile(): string {
  const page = readFileSync(path.join(project, 'docs/operating.md'), 'utf8');
  const unit = /```ini\n(\[Unit\]\n.*?)```/s.exec(page)?.[1];
  assert.ok(unit);
  return unit;
}

function readUnit(): Map<string, string> {
  const settings = readUnitFile().matchAll(/^(\w+)=(.*)$/gm);
  return new Map([...settings].map(([, name = '', value = '']) => [name, value]));
}

test('the documented systemd unit restarts the server after every crash, without a limit', () => {
  const unit = readUnit();
  assert.equal(unit.get('Restart'), 'always');
  assert.equal(unit.get('StartLimitIntervalSec'), '0');
  assert.ok(Number(unit.get('RestartSec')) >= 1);
});

test('the documented systemd unit does not restart the server when an operator has to act first', () => {
  const prevented = readUnit().get('RestartPreventExitStatus')?.split(' ').map(Number);
  assert.deepEqual(prevented, Object.values(exitCodes));
  assert.ok(!prevented?.includes(1), 'code 1 is a crash');
});

test('systemd accepts the documented unit', { skip: !existsSync(systemdAnalyze) }, async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-unit-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'tertulia.service');
  const unit = readUnitFile()
    .replaceAll('/opt/tertulia', project)
    .replace('/usr/bin/node', process.execPath)
    .replace('User=tertulia', `User=${userInfo().username}`);
  await writeFile(file, unit);
  const { status, stderr } = spawnSync(systemdAnalyze, ['verify', '--man=no', file]);
  assert.equal(status, 0, String(stderr));
  // It only warns of an unknown setting.
  assert.doesNotMatch(String(stderr), /tertulia\.service/);
});
