import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const promtool = '/usr/bin/promtool';
const skip = !existsSync(promtool) && `${promtool} is not installed`;

test('each alert of Prometheus fires when it should, and not otherwise', { skip }, () => {
  const cases = path.join(import.meta.dirname, '../deploy/tertulia.rules.test.yaml');
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', cases]);
  assert.equal(status, 0, `${stdout}${stderr}`);
});
