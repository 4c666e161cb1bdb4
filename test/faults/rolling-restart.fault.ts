import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../eventually.ts';
import type { Person } from '../forum/forum.ts';
import { Load } from '../load/load.ts';
import {
  expectAllDelivered,
  ThreeProcesses,
  waitForReconnects,
} from '../processes/three-processes.ts';

const backWithinMs = 5000;
const shutdownWithinMs = 10_000;

describe('three processes behind a load balancer', () => {
  let site: ThreeProcesses;
  let author: Person;
  before(async () => {
    site = await ThreeProcesses.start();
    author = await site.person();
  });
  after(() => site?.remove());

  test('each stopped and started in turn, fail no request under load', async (t) => {
    const channel = await site.channel(author);
    const readers = await site.followers(channel._id, 6);
    const load = new Load();
    t.after(() => load.stop());
    load.everything(site, author, channel._id);
    let longestMs = 0;
    for (const index of [0, 1, 2]) {
      const before = load.done;
      const hasGoneOn = async () => {
        assert.deepEqual(load.failures, []);
        return load.done > before + 50;
      };
      await eventually('50 more requests succeed', hasGoneOn, 60_000);
      const { code, said, ms } = await site.stop(index);
      assert.equal(code, 0, said);
      longestMs = Math.max(longestMs, ms);
      await waitForReconnects(readers, 0, backWithinMs);
      await site.startAgain(index, true);
    }
    await load.stop();
    t.diagnostic(`the longest shutdown took ${longestMs} ms`);
    t.diagnostic(`${load.done} requests, ${site.balancer.retries} of them retried`);
    assert.ok(longestMs < shutdownWithinMs);
    assert.deepEqual(load.failures, []);
    await expectAllDelivered(readers, await site.allComments(channel._id), load.acknowledged);
  });

  test('readers of a killed process reconnect to another and miss nothing', async (t) => {
    const channel = await site.channel(author);
    const readers = await site.followers(channel._id, 6);
    const load = new Load();
    t.after(() => load.stop());
    for (const name of ['a', 'b', 'c', 'd']) load.comments(site, author, channel._id, name);
    await eventually('comments are written', async () => load.acknowledged.length > 50);

    const killedMs = Date.now();
    await site.kill(0);
    const backMs = await waitForReconnects(readers, 1);
    t.diagnostic(`its readers were back after ${Math.max(...backMs) - killedMs} ms`);
    const written = load.acknowledged.length;
    await eventually('it goes on', async () => load.acknowledged.length > written + 50);
    await load.stop();
    t.diagnostic(`${load.acknowledged.length} acknowledged, ${load.failures.length} were not`);
    await expectAllDelivered(readers, await site.allComments(channel._id), load.acknowledged);
    await site.startAgain(0);
  });
});
