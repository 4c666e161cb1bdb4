import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '../forum/forum.ts';
import { FuzzedServer } from '../fuzz/fuzzed-server.ts';
import { propertiesOf, propertyNames } from '../fuzz/properties.ts';
import { replay } from '../fuzz/replay.ts';
import { HealthWatch } from './health-watch.ts';

/** Time for all properties on both engines. */
const allMs = Number(process.env.FUZZ_SECONDS ?? 80) * 1000;
const eachMs = allMs / engines.length / propertyNames.length;
const healthWithinMs = 250;

for (const engine of engines) {
  describe(`a server that receives generated requests (${engine})`, () => {
    let server: FuzzedServer;
    let properties: Awaited<ReturnType<typeof propertiesOf>>;
    before(async () => {
      server = await FuzzedServer.start(engine);
      properties = await propertiesOf(server);
    });
    after(() => server?.stop());

    for (const what of propertyNames) {
      test(`${what} (${engine})`, async (t) => {
        const seed = Date.now() % 2 ** 31;
        t.diagnostic(`FUZZ_SEED=${replay.seed ?? seed}`);
        const watch = new HealthWatch(server);
        const done = properties[what]({
          seed,
          ...replay,
          numRuns: Number.MAX_SAFE_INTEGER,
          interruptAfterTimeLimit: eachMs,
        });
        await done.catch(() => {});
        const { slowestMs, responses, failed } = await watch.stop();
        t.diagnostic(`/healthz within ${slowestMs} ms, ${responses} responses`);
        t.diagnostic(`${(await done).runs} tries; peak memory ${server.peakMb} MB`);
        assert.equal(failed, 0);
        assert.ok(responses > 0);
        assert.ok(slowestMs <= healthWithinMs, `/healthz took ${slowestMs} ms`);
      });
    }
  });
}
