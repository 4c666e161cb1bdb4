import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { tryWithLock } from '../database/locks/locks.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import type { Config } from '../system/settings/config.ts';
import { buildIndex } from './build-index.ts';
import { describeProgress, isIndexComplete, prepareIndex } from './index-state.ts';

/** Interval of checks for a requested rebuild, and delay after a failed build. */
const checkMs = 2000;
const repeatMs = 60_000;
/** Interval at which progress is logged. */
const progressMs = 10_000;

interface Services {
  config: Config;
  db: Database;
  withTransaction: WithTransaction;
}

/**
 * Builds the search index in the background whenever it is not complete, in one process at a time.
 * @returns a function that stops the builder, and resolves when it has stopped
 */
export function startIndexBuilder(services: Services, log: FastifyBaseLogger): () => Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async () => {
    while (!signal.aborted) {
      const waitMs = await buildWhenDue(services, signal, log).catch((error) => {
        if (!signal.aborted)
          log.error({ err: error }, 'building the search index failed; retrying');
        return repeatMs;
      });
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return () => {
    controller.abort();
    return running;
  };
}

/** @returns the delay until the next check, in ms */
async function buildWhenDue(
  services: Services,
  signal: AbortSignal,
  log: FastifyBaseLogger,
): Promise<number> {
  const { db } = services;
  if (await isIndexComplete(db)) return checkMs;
  // The call at server start may have failed.
  await prepareIndex(db);
  const build = async (confirmLock: () => Promise<void>) => {
    const startMs = performance.now();
    let saidMs = startMs;
    await buildIndex(services, signal, async () => {
      await confirmLock();
      if (performance.now() - saidMs < progressMs) return;
      saidMs = performance.now();
      log.info({ progress: await describeProgress(db) }, 'building the search index');
    });
    log.info({ seconds: Math.round((performance.now() - startMs) / 1000) }, 'search index built');
  };
  await tryWithLock(services, build, 'search');
  return checkMs;
}
