/** Seed of a failed run and path of its smallest example, both printed in the failure's message. */
const { FUZZ_SEED, FUZZ_PATH } = process.env;

/** The failed run to repeat, if any. */
export const replay: { seed?: number; path?: string } = {
  ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
  ...(FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH }),
};
