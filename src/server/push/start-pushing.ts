import type { FastifyBaseLogger } from 'fastify';
import { tryWithLock } from '../database/locks/locks.ts';
import { type Repeating, repeatTask } from '../system/failed-tasks.ts';
import { findDue, type PushServices, pushNews } from './push-news.ts';
import { canPush } from './subscriptions.ts';

/** Interval of checks for news to push, and the wait after a failed one. */
const intervals = { everyMs: 10_000, afterFailureMs: 60_000 };

/** Pushes news in the background, in one process at a time. */
export function startPushing(services: PushServices, log: FastifyBaseLogger): Repeating {
  if (!canPush(services.config)) return async () => {};
  return repeatTask(services, { name: 'pushing news', log, ...intervals }, async (ending) => {
    const due = await findDue(services.db, services.now(), 1);
    if (due.length > 0) await pushInOneProcess({ ...services, log }, ending);
  });
}

/**
 * Pushes the news that is due. Does nothing while another process does.
 * @param ending nothing more is sent once it is aborted
 */
export async function pushInOneProcess(
  services: PushServices,
  ending?: AbortSignal,
): Promise<void> {
  await tryWithLock(services, (confirmLock) => pushNews(services, confirmLock, ending), 'push');
}
