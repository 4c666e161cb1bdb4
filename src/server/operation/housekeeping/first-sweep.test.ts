import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { insertOrphanedObjects } from '../../images/object-rows.ts';
import { startHousekeeping } from './housekeeping.ts';

test('a server that erases an account when it starts sweeps afterwards', async () => {
  let aheadMs = 0;
  await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() + aheadMs });
  const ana = await forum.person();
  const stored = await forum.upload(ana, await quarters(200, 160).png().toBuffer());
  assert.ok(stored.ok);
  await askForDeletion(forum, ana, 'erase');
  aheadMs = 15 * 86_400_000;
  const erasing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const swept = Promise.withResolvers<void>();
  const image_id = crypto.randomUUID();
  const remove = async (key: string) => {
    if (key.startsWith(image_id)) swept.resolve();
    erasing.resolve();
    await goOn.promise;
  };
  Object.assign(forum.services.images, { remove });
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    startHousekeeping(forum.services, forum.app.log);
    await erasing.promise;
    await insertOrphanedObjects(forum.services.db, [{ image_id, use: 'avatar', largest_variant: 360 }]);
    goOn.resolve();
    await swept.promise;
  } finally {
    mock.timers.reset();
  }
});
