import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { unavailableError } from '../api-error.ts';

/** Limits beyond which the process counts as overloaded. */
export const overload = {
  /** Average event-loop delay of a sample, in milliseconds; 0 means no limit. */
  maxEventLoopDelay: 1000,
  maxHeapUsedBytes: getHeapStatistics().heap_size_limit * 0.85,
  /** Milliseconds. Long enough that a brief stall of the disk does not count. */
  sampleInterval: 2000,
  /** Milliseconds after the start without limits, because starting itself blocks the event loop. */
  afterMs: 10_000,
};

/** Responds with 503 and `Retry-After` to all routes but `/healthz` while the process is overloaded. Open streams continue. */
export async function refuseWhenOverloaded(app: FastifyInstance): Promise<void> {
  const fromMs = performance.now() + overload.afterMs;
  await app.register(underPressure, {
    ...overload,
    pressureHandler: async ({ routeOptions }) => {
      const isSpared = routeOptions.url === '/healthz' || performance.now() < fromMs;
      if (!isSpared) throw unavailableError();
    },
  });
}
