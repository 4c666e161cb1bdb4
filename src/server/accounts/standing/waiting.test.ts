import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import type { User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { tryWithLock } from '../../database/locks/locks.ts';
import { attemptErasures } from '../../operation/housekeeping/housekeeping.ts';
import { dayMs } from '../../system/times.ts';

onBothEngines('an account that asked to be let in 30 days ago', (forum, wait) => {
  const password = 'clave larga';
  const ask = async (): Promise<User> => {
    await changeSettings(forum(), { registration: 'request' });
    const body = { name: 'Zoraida', email: `${crypto.randomUUID()}@ejemplo.es`, password };
    const account = await forum().json<User>('POST', apiRoutes.signUp, { body });
    await changeSettings(forum(), { registration: 'open' });
    return account;
  };
  const erase = () => attemptErasures(forum().services, forum().app.log);
  const statusOf = async ({ email }: Pick<User, 'email'>) =>
    (await forum().signIn(email, password)).status;

  for (const [by, letIn] of [
    [
      'a moderator',
      async (account: User) => {
        await decided(forum(), await staff(forum()), { subject: user(account), action: 'approve' });
      },
    ],
    ['the operator', (account: User) => operate(forum(), 'enable', account.email)],
  ] as const) {
    test(`stays when ${by} lets it in while its erasure waits for a backup`, async () => {
      const account = await ask();
      wait(30 * dayMs + 1000);
      await tryWithLock(forum().services, async () => {
        await erase();
        await letIn(account);
      });
      assert.equal(await statusOf(account), 200);
      await erase();
      assert.equal(await statusOf(account), 200);
    });
  }

  for (const action of ['reject', 'hideAll'] as const) {
    test(`waits for 30 more days when "${action}" is undone`, async () => {
      const account = await ask();
      wait(29 * dayMs);
      const eva = await staff(forum());
      const decision = await decided(forum(), eva, { subject: user(account), action });
      wait(2 * dayMs);
      await undone(forum(), eva, decision);
      await erase();
      assert.equal(await statusOf(account), 403);
      wait(30 * dayMs + 1000);
      await erase();
      assert.equal(await statusOf(account), 401);
    });
  }
});
