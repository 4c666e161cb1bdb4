import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config/config.ts';

/** Tasks are repeated at least every hour: an older failure belongs to an abandoned task. */
const shownMs = 2 * 3_600_000;

/** Where a failure is reported, such as the server's log. */
export interface FailureLog {
  error: (details: { err: unknown }, message: string) => void;
}

const folderIn = (dataDir: string) => path.join(dataDir, 'failed-work');

/**
 * Runs a task that is repeated later and must stop neither the start nor other tasks. When it fails,
 * that is logged, and the doctor shows it until it succeeds; unless the process stops, which interrupts tasks.
 * @param name of the task, and of an empty file in the data folder while it fails
 * @returns undefined when it failed
 */
export async function attempt<T>(
  { config: { dataDir }, stopping }: { config: Pick<Config, 'dataDir'>; stopping?: AbortSignal },
  name: string,
  log: FailureLog,
  task: () => Promise<T>,
): Promise<T | undefined> {
  const folder = folderIn(dataDir);
  const file = path.join(folder, name);
  // The doctor has a separate check of whether the data folder is writable.
  const ignore = () => {};
  try {
    const result = await task();
    await rm(file, { force: true }).catch(ignore);
    return result;
  } catch (error) {
    if (stopping?.aborted) return undefined;
    log.error({ err: error }, `${name} failed; it is repeated`);
    await mkdir(folder, { recursive: true })
      .then(() => writeFile(file, ''))
      .catch(ignore);
    return undefined;
  }
}

/** Tasks that failed in the last two hours and have not succeeded since, with their last failure. */
export async function findFailedTasks(
  dataDir: string,
  nowMs: number,
): Promise<{ name: string; failedAtMs: number }[]> {
  const folder = folderIn(dataDir);
  const names = await readdir(folder).catch(() => []);
  const failures = await Promise.all(
    names.sort().map(async (name) => {
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      return { name, failedAtMs: found?.mtimeMs ?? 0 };
    }),
  );
  return failures.filter(({ failedAtMs }) => Math.abs(nowMs - failedAtMs) < shownMs);
}
