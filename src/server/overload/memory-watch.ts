import { totalmem } from 'node:os';
import type { FastifyInstance } from 'fastify';

const checkEveryMs = 1000;
/** Normal use stays far below this, including image processing, 10,000 readers and full caches. */
const maxBoundBytes = 1.5 * 1024 ** 3;
/** Share of the available memory; the rest is left to the system and other programs. */
const share = 0.8;
/** A shortage ends below this share of the bound, so that the state does not flap. */
const resumeShare = 0.9;

/**
 * Resident bytes of one process above which it refuses requests that need much memory.
 * @param workers number of processes that share the memory of the control group, or of the machine
 *   when the group has no limit
 */
export function residentBound(workers: number): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(maxBoundBytes, (memory * share) / workers);
}

/** Whether memory is short, with hysteresis: between the two bounds the previous state stays. */
export function isShortAt(rssBytes: number, boundBytes: number, wasShort: boolean): boolean {
  return rssBytes > boundBytes * (wasShort ? resumeShare : 1);
}

/**
 * Checks the resident memory of the process every second until the app closes.
 * @returns whether memory is short now
 */
export function watchMemory(app: FastifyInstance, boundBytes: number): () => boolean {
  let isShort = false;
  const check = () => {
    const rssBytes = process.memoryUsage.rss();
    const wasShort = isShort;
    isShort = isShortAt(rssBytes, boundBytes, wasShort);
    if (isShort !== wasShort) {
      const message = isShort
        ? 'memory is short: uploads and new live streams are refused'
        : 'memory is enough again';
      app.log.warn({ rssBytes, boundBytes }, message);
    }
  };
  const timer = setInterval(check, checkEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return () => isShort;
}
