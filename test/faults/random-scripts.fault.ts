import { test } from 'node:test';
import fc from 'fast-check';
import { assertSameResponses } from '../script/same-responses.ts';

const { SCRIPT_SEED } = process.env;
const seeds = SCRIPT_SEED
  ? [Number(SCRIPT_SEED)]
  : fc.sample(fc.nat(), { seed: Date.now(), numRuns: 5 });

for (const seed of seeds) {
  test(`both engines give the same responses to a random script (SCRIPT_SEED=${seed})`, () =>
    assertSameResponses(seed));
}
