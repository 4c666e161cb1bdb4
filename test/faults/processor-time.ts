import assert from 'node:assert/strict';

/** Systems count processor time in ticks of up to 10 ms, so smaller figures are noise. */
const negligibleMs = 20;
/** Twice the input takes twice as long in linear time, four times as long in quadratic time. */
const highestRatio = 3.5;
const rounds = 5;

/** Measures the processor time of this thread in milliseconds, without the rest of a busy machine. */
async function processorMs(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Checks that `run` takes about twice as long on an input of `length` as on one half as long. */
export async function assertLinear(
  label: string,
  length: number,
  run: (length: number) => unknown,
): Promise<void> {
  const half: number[] = [];
  const full: number[] = [];
  for (let round = 0; round < rounds; round++) {
    half.push(await processorMs(() => run(Math.floor(length / 2))));
    full.push(await processorMs(() => run(length)));
  }
  // Other work on the machine only increases a measurement.
  const [halfMs, fullMs] = [Math.min(...half), Math.min(...full)];
  const figures = `${halfMs.toFixed(1)} ms for half, ${fullMs.toFixed(1)} ms for all`;
  assert.ok(fullMs < negligibleMs || fullMs / halfMs < highestRatio, `${label}: ${figures}`);
}
