import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { unavailableError } from '../http/api-error.ts';
import { residentBound, watchMemory } from './memory-watch.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `light` routes are always served. `heavy` routes need memory for each client and are refused
     * first. Other routes are refused under overload unless a cached response exists.
     */
    load?: 'light' | 'heavy';
  }
  interface FastifyRequest {
    /** Whether only a cached response can be sent. */
    isOverloaded: boolean;
  }
}

/** Thresholds of overload. */
export const overload = {
  /** Pause between two checks of the event loop and the heap, in milliseconds. */
  checkEveryMs: 100,
  /** Delay of the event loop in milliseconds. */
  maxDelay: 500,
  maxHeapUsedBytes: getHeapStatistics().heap_size_limit * 0.85,
};

/**
 * Answers 503 with `Retry-After` while the process is overloaded; open streams continue.
 * @param maxRssBytes resident memory above which `heavy` routes are refused
 */
export async function shedOverload(
  app: FastifyInstance,
  { workers }: Pick<Config, 'workers'>,
  maxRssBytes = residentBound(workers),
): Promise<void> {
  app.decorateRequest('isOverloaded', false);
  const isMemoryShort = watchMemory(app, maxRssBytes);
  const isOverloaded = watchLoad(app);
  app.addHook('onRequest', async (request) => {
    const { load } = request.routeOptions.config;
    if (load === 'light') return;
    if (load === 'heavy' && isMemoryShort()) throw unavailableError();
    if (!isOverloaded()) return;
    if (request.method !== 'GET' || load === 'heavy') throw unavailableError();
    request.isOverloaded = true;
  });
  // Cached responses are sent earlier, in the routes' `onRequest` hooks.
  app.addHook('preParsing', async (request) => {
    if (request.isOverloaded) throw unavailableError();
  });
}

/**
 * Checks the event loop and the heap from listening to closing.
 * @returns whether the heap is nearly full or the event loop is late three times in a row, so that neither a
 * single long task nor a disk that stalled for a moment counts
 */
function watchLoad(app: FastifyInstance): () => boolean {
  let lateChecks = 0;
  let isHeapFull = false;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    const { checkEveryMs } = overload;
    let dueMs = performance.now() + checkEveryMs;
    timer = setInterval(() => {
      const nowMs = performance.now();
      lateChecks = nowMs - dueMs > overload.maxDelay ? lateChecks + 1 : 0;
      dueMs = nowMs + checkEveryMs;
      isHeapFull = getHeapStatistics().used_heap_size > overload.maxHeapUsedBytes;
    }, checkEveryMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
  return () => lateChecks > 2 || isHeapFull;
}
