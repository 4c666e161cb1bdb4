import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { mock, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { insertOrphanedObjects } from '../../images/object-rows.ts';
import { ledgerIn } from '../../privacy/erasure/erasure-ledger.ts';
import { ClockWatch } from '../start/clock-watch.ts';
import { startHousekeeping } from './housekeeping.ts';

test('a server that erases an account when it starts sweeps afterwards', async () => {
  let aheadMs = 0;
  await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() + aheadMs });
  const ana = await forum.person();
  const stored = await forum.upload(ana, await quarters(200, 160).png().toBuffer());
  assert.ok(stored.ok);
  await askForDeletion(forum, ana, 'erase');
  aheadMs = 15 * 86_400_000;
  const { now } = forum.services;
  let steadyMs = 0;
  const clock = new ClockWatch(now, now(), forum.app.log, () => steadyMs);
  steadyMs = 3_600_000;
  aheadMs += steadyMs;
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
    startHousekeeping(forum.services, forum.app.log, clock);
    await erasing.promise;
    await insertOrphanedObjects(forum.services.db, [
      { image_id, use: 'avatar', largest_variant: 360 },
    ]);
    goOn.resolve();
    await swept.promise;
  } finally {
    mock.timers.reset();
  }
});

test('nothing is erased for an hour after the clock jumped ahead, and then what is due', async () => {
  let [aheadMs, steadyMs] = [0, 0];
  await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() + aheadMs });
  const [ana, berta] = [await forum.person(), await forum.person()];
  const { _id } = await forum.channel(berta);
  await forum.json('DELETE', apiRoutes.channel(_id), berta);
  const { db, now, ledgerFolder } = forum.services;
  await askForDeletion(forum, ana, 'erase');
  const warnings: unknown[] = [];
  const log = { warn: (line: unknown) => void warnings.push(line) };
  const clock = new ClockWatch(now, now(), log, () => steadyMs);
  aheadMs = 31 * 86_400_000;
  const left = async () => ({
    accounts: (
      await db.selectFrom('accounts').select('id').where('erased_at_ms', 'is', null).execute()
    ).length,
    channels: (await db.selectFrom('channels').select('id').execute()).length,
  });
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    // The first pass writes it after everything else.
    await rm(ledgerIn(ledgerFolder));
    startHousekeeping(forum.services, forum.app.log, clock);
    await eventually('the ledger is written', async () => existsSync(ledgerIn(ledgerFolder)));
    assert.deepEqual(await left(), { accounts: 2, channels: 1 });
    assert.equal(warnings.length, 1);
    steadyMs += 3_600_000;
    aheadMs += 3_600_000;
    mock.timers.tick(3_600_000);
    await eventually('both are erased', async () => {
      const { accounts, channels } = await left();
      return accounts === 1 && channels === 0;
    });
  } finally {
    mock.timers.reset();
  }
});
