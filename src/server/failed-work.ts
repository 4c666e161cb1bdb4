import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config/config.ts';

/** Work is repeated every hour or more often: an older failure is from before the work was abandoned. */
const shownMs = 2 * 3_600_000;

export type ReportFailure = (error: unknown, message: string) => void;

const folderIn = (dataDir: string) => path.join(dataDir, 'failed-work');

/**
 * Runs work that is repeated later and must not stop the start, nor other work. When it fails, `report`
 * is called, and the doctor shows it until it succeeds.
 * @param name of the work, and of an empty file in the data folder while it fails
 * @returns undefined when it failed
 */
export async function attempt<T>(
  { dataDir }: Pick<Config, 'dataDir'>,
  name: string,
  report: ReportFailure,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const folder = folderIn(dataDir);
  const file = path.join(folder, name);
  // The doctor says by itself when the data folder cannot be written.
  const ignore = () => {};
  try {
    const result = await work();
    await rm(file, { force: true }).catch(ignore);
    return result;
  } catch (error) {
    report(error, `${name} failed; it is repeated`);
    await mkdir(folder, { recursive: true })
      .then(() => writeFile(file, ''))
      .catch(ignore);
    return undefined;
  }
}

/** The work that failed in the last hours and has not succeeded since, with the time of its last failure. */
export async function findFailedWork(
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

/** Errors in the error of work that failed for many items. */
const maxShown = 3;

/** Runs work for each item, whether or not it fails for others. @throws after the last item */
export async function forEachAlone<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error) => errors.push(error));
  throwAny(errors);
}

/** Throws what failed within a work, if anything did. */
export function throwAny(errors: unknown[]): void {
  if (errors.length > 1) {
    // A log line with all of them would be too long to be written.
    const shown = errors.slice(0, maxShown);
    const message = `${errors.length} failed, such as ${shown.map(String).join('; ')}`;
    throw new AggregateError(shown, message);
  }
  if (errors.length === 1) throw errors[0];
}
