import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { askForDeletion, leaveTraces } from '../../../../test/forum/leave-traces.ts';
import type { Profile } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { shortenDeletions } from '../deletion/deletion-request.ts';
import { createChallenge, requireChallenge } from '../passkeys/challenges.ts';
import { createPasswordLink, findPasswordLink } from '../recovery/password-links.ts';
import { eraseDueAccounts } from './erase-account.ts';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

onBothEngines('a clock that was a year ahead', (forum, wait) => {
  test('an account whose deletion was requested meanwhile is erased after 14 days, with its images', async () => {
    wait(yearMs);
    const { zoraida, img } = await leaveTraces(forum(), 'zoraida@ejemplo.es');
    await askForDeletion(forum(), zoraida, 'erase');
    wait(-yearMs);
    const { db, now } = forum().deps;
    await shortenDeletions(db, now());
    const { token } = zoraida;
    const { deletion } = await forum().json<Profile>('GET', apiRoutes.me, { token });
    assert.ok(Date.parse(deletion?.endsAt ?? '') <= now() + 14 * dayMs);
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().deps);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    assert.equal((await forum().call('GET', img)).status, 404);
    assert.deepEqual(await findText(forum(), img), []);
    wait(60_001);
    assert.equal(await eraseDueAccounts(forum().deps), 1);
  });

  test('an erasure that began meanwhile continues and ends', async () => {
    const { zoraida } = await leaveTraces(forum(), 'otra-zoraida@ejemplo.es');
    await askForDeletion(forum(), zoraida, 'erase');
    wait(yearMs);
    let left = 5;
    const transact: ReturnType<typeof forum>['deps']['transact'] = (row, work) => {
      if (left-- === 0) throw new Error('killed');
      return forum().deps.transact(row, work);
    };
    await assert.rejects(eraseDueAccounts({ ...forum().deps, transact }), /killed/);
    wait(-yearMs);
    assert.equal(await eraseDueAccounts(forum().deps), 1);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    wait(60_001);
    await eraseDueAccounts(forum().deps);
    assert.equal(await eraseDueAccounts(forum().deps), 0);
  });

  test('password links and challenges made meanwhile cannot be used', async () => {
    const { id } = await forum().person();
    const { db, now } = forum().deps;
    const link = await createPasswordLink(db, id, now() + yearMs);
    assert.equal(await findPasswordLink(db, link, now()), undefined);
    const challenge = await createChallenge(db, null, now() + yearMs);
    const answer = requireChallenge(db, challenge, null, now());
    await assert.rejects(answer, { code: 'passkey_failed' });
  });
});
