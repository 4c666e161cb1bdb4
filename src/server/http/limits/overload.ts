import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { unavailableError } from '../api-error.ts';

/** Bounds of what one process bears. */
export const overload = {
  /** Milliseconds by which the event loop is late, on average of a sample; 0 is no bound. */
  maxEventLoopDelay: 1000,
  maxHeapUsedBytes: getHeapStatistics().heap_size_limit * 0.85,
  /** Milliseconds. Long enough that a disk that stalls for a moment does not count. */
  sampleInterval: 2000,
  /** Milliseconds after the start, which itself holds the event loop. */
  afterMs: 10_000,
};

/** Answers 503 with `Retry-After` to all but `/healthz` while the process is overloaded; open streams continue. */
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
