import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import { engineOf } from '../engine.ts';
import type { ConfirmLock, LockName } from '../engine-type.ts';
import type { Database } from '../tables.ts';

const retryMs = 500;

interface Place {
  db: Database;
  config: DatabaseSettings;
}

/**
 * Runs work under a lock that one process at a time can hold.
 * @returns undefined, without running work, when another process holds the lock
 */
export function tryWithLock<T>(
  place: Place,
  work: (confirmLock: ConfirmLock) => Promise<T>,
  name: LockName = 'housekeeping',
): Promise<T | undefined> {
  return engineOf(place.db).tryWithLock(place, name, work);
}

/** Like `tryWithLock` with the housekeeping lock, but waits for it. */
export async function withLock<T extends object | string>(
  place: Place,
  work: (confirmLock: ConfirmLock) => Promise<T>,
): Promise<T> {
  for (;;) {
    const result = await tryWithLock(place, work);
    if (result !== undefined) return result;
    await wait(retryMs);
  }
}
