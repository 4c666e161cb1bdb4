import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { refuseUnavailable } from '../errors.ts';

/** Above either, answers would come late and then not at all. */
export const overload = {
  /** Mean over the interval, so that a single long turn, such as loading a package, is no overload. */
  maxEventLoopDelay: 500,
  sampleInterval: 2000,
  maxHeapUsedBytes: getHeapStatistics().heap_size_limit * 0.85,
};

/** Who asks these wants to know how it is. */
const alwaysAnswered = ['/healthz', '/metrics'];

/** Refuses what comes in while there is too much to do, with `Retry-After`; open streams go on. */
export async function shedOverload(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, {
    ...overload,
    pressureHandler: async ({ routeOptions }) => {
      if (!alwaysAnswered.includes(routeOptions.url ?? '')) throw refuseUnavailable();
    },
  });
}
