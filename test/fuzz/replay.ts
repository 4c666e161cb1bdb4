/** As a failure's message tells them: what made it, and the way to its shortest form. */
const { FUZZ_SEED, FUZZ_PATH } = process.env;

/** What is played again when somebody asks for it. */
export const replay: { seed?: number; path?: string } = {
  ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
  ...(FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH }),
};
