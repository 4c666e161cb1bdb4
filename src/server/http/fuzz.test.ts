import { after, before, describe, test } from 'node:test';
import { FuzzedServer } from '../../../test/fuzz/fuzzed-server.ts';
import { propertiesOf, propertyNames } from '../../../test/fuzz/properties.ts';
import { replay } from '../../../test/fuzz/replay.ts';

/** A fixed seed makes runs reproducible; `npm run test:faults` uses new seeds. */
const fixedSeed = 20_261_121;
const runs = {
  'requests that are hardly HTTP': 120,
  'calls that the API describes': 100,
  'uploads in steps': 20,
  'images with bits turned': 20,
};

describe('a fuzzed server keeps running, does not fail and exposes no internals', () => {
  let server: FuzzedServer;
  let properties: Awaited<ReturnType<typeof propertiesOf>>;
  before(async () => {
    server = await FuzzedServer.start('sqlite');
    properties = await propertiesOf(server);
  });
  after(() => server?.stop());

  for (const what of propertyNames) {
    test(what, async () => {
      await properties[what]({ seed: fixedSeed, numRuns: runs[what], ...replay });
    });
  }
});
