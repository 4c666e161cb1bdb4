import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { askForDeletion, leaveTraces } from '../../../../test/forum/leave-traces.ts';
import { eraseDueAccounts } from './erase-account.ts';

const yearMs = 365 * 86_400_000;

onBothEngines('a clock that was a year ahead', (forum, wait) => {
  test('an erasure that began meanwhile continues and ends', async () => {
    const { zoraida } = await leaveTraces(forum(), 'otra-zoraida@ejemplo.es');
    await askForDeletion(forum(), zoraida, 'erase');
    wait(yearMs);
    let left = 5;
    const withTransaction: ReturnType<typeof forum>['services']['withTransaction'] = (
      lockKey,
      work,
    ) => {
      if (left-- === 0) throw new Error('killed');
      return forum().services.withTransaction(lockKey, work);
    };
    await assert.rejects(eraseDueAccounts({ ...forum().services, withTransaction }), /killed/);
    wait(-yearMs);
    assert.equal(await eraseDueAccounts(forum().services), 1);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    wait(60_001);
    await eraseDueAccounts(forum().services);
    assert.equal(await eraseDueAccounts(forum().services), 0);
  });
});
