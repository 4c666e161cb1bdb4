import assert from 'node:assert/strict';
import { test } from 'node:test';
import { journalHint, unitIn } from './journal-hint.ts';

test('the unit of a process is the last part of its control group, if that is a service', () => {
  for (const [cgroups, unit] of [
    ['0::/system.slice/tertulia.service\n', 'tertulia'],
    ['0::/system.slice/system-tertulia.slice/tertulia@3000.service\n', 'tertulia@3000'],
    ['3:cpu:/\n1:name=systemd:/system.slice/otro-foro.service\n0::/\n', 'otro-foro'],
    ['0::/user.slice/user-0.slice/user@0.service/session-1.scope\n', undefined],
    ['0::/\n', undefined],
    ["0::/system.slice/a'b.service\n", undefined],
  ] as const) {
    assert.equal(unitIn(cgroups), unit);
  }
});

test('a process that logs elsewhere names no command of the journal', () => {
  assert.equal(journalHint('-p err'), '');
});
