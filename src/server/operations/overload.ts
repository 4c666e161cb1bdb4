import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { unavailableError } from '../http/api-error.ts';
import type { Config } from '../settings/config.ts';
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
    /** Only a cached response can be sent. */
    isOverloaded: boolean;
  }
}

/** Thresholds of overload: event loop delay and heap use. */
export const overload = {
  /** Milliseconds, mean over the sample interval: a single long task, such as loading a package, does not count. */
  maxEventLoopDelay: 500,
  sampleInterval: 2000,
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
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (routeOptions.config.load === 'heavy' && isMemoryShort()) throw unavailableError();
  });
  let listeningMs = Number.POSITIVE_INFINITY;
  app.addHook('onListen', async () => {
    listeningMs = performance.now();
  });
  // A sample is used as long as it took. One that began earlier measured the start.
  const isMeasured = () => performance.now() - listeningMs > 2 * overload.sampleInterval;
  await app.register(underPressure, {
    ...overload,
    pressureHandler: async (request, _reply, type) => {
      if (type === 'eventLoopDelay' && !isMeasured()) return;
      const { method, routeOptions } = request;
      if (routeOptions.config.load === 'light') return;
      if (method !== 'GET' || routeOptions.config.load === 'heavy') throw unavailableError();
      request.isOverloaded = true;
    },
  });
  // Cached responses are sent earlier, in the routes' `onRequest` hooks.
  app.addHook('preParsing', async (request) => {
    if (request.isOverloaded) throw unavailableError();
  });
}
