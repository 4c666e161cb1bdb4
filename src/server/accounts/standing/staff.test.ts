import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Queue } from '../../../shared/moderation.ts';
import type { SavedSettings } from '../../../shared/site-settings.ts';
import { dayMs } from '../../system/times.ts';

onBothEngines('an admin who is alone', (forum, wait) => {
  test('is asked for a second one after a month, until there is one who can act', async () => {
    const ada = await staff(forum(), 'admin', 'Ada');
    const eva = await staff(forum(), 'moderator', 'Eva');
    const asked = async () => {
      const queue = await forum().json<Queue>('GET', apiRoutes.queue, eva);
      const { done } = await forum().json<SavedSettings>('GET', apiRoutes.siteSettings, ada);
      return [queue.isOneAdminAlone, done?.isOneAdminAlone];
    };
    wait(29 * dayMs);
    assert.deepEqual(await asked(), [false, false]);
    wait(dayMs);
    assert.deepEqual(await asked(), [true, true]);
    const leo = await staff(forum(), 'admin', 'Leo');
    assert.deepEqual(await asked(), [false, false]);
    await operate(forum(), 'disable', leo.email);
    assert.deepEqual(await asked(), [true, true]);
  });
});
