import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { unavailableError } from '../http/api-error.ts';
import { MemoryWatch, residentBound } from './memory-watch.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `light` is answered whatever the load is. `heavy` takes memory for each caller, and is the
     * first to be refused. All else is refused once answers would come too late, unless the answer
     * is kept.
     */
    load?: 'light' | 'heavy';
  }
  interface FastifyRequest {
    /** Only a kept answer can be sent now. */
    isOverloaded: boolean;
  }
}

/** Above either, answers would come late and then not at all. */
export const overload = {
  /** Mean over the interval, so that a single long turn, such as loading a package, is no overload. */
  maxEventLoopDelay: 500,
  sampleInterval: 2000,
  maxHeapUsedBytes: getHeapStatistics().heap_size_limit * 0.85,
};

/**
 * Refuses what comes in while there is too much to do, with `Retry-After`; open streams go on.
 * @param maxRssBytes of the process; above it, what is heavy is refused
 */
export async function shedOverload(
  app: FastifyInstance,
  { workers }: Pick<Config, 'workers'>,
  maxRssBytes = residentBound(workers),
): Promise<void> {
  app.decorateRequest('isOverloaded', false);
  const memory = new MemoryWatch(maxRssBytes, app.log);
  app.addHook('onClose', async () => memory.close());
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (memory.isShort && routeOptions.config.load === 'heavy') throw unavailableError();
  });
  await app.register(underPressure, {
    ...overload,
    pressureHandler: async (request) => {
      const { method, routeOptions } = request;
      if (routeOptions.config.load === 'light') return;
      if (method !== 'GET' || routeOptions.config.load === 'heavy') throw unavailableError();
      request.isOverloaded = true;
    },
  });
  // Routes send what they keep before this, in their `onRequest`.
  app.addHook('preParsing', async (request) => {
    if (request.isOverloaded) throw unavailableError();
  });
}
