import type { IncomingMessage } from 'node:http';
import pLimit from 'p-limit';
import { Refusal } from '../errors.ts';

/** How many bring bytes fast at once; the rest wait unread, since each takes memory. */
const receiving = pLimit(32);
/** How many may be under way or wait for their turn; whoever comes then is told to come back. */
const mostUnderWay = 500;
/** Who brings less than these bytes in this time takes little memory, and keeps nobody waiting. */
const slow = { ms: 250, bytes: 16 * 1024 };

let underWay = 0;

/**
 * Does the work of a request that brings an upload's bytes when its turn comes. One whose bytes come
 * slowly or not at all gives its turn to the next, and goes on beside it.
 * @throws Refusal `busy`
 */
export async function inTurn<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> {
  if (underWay >= mostUnderWay) throw new Refusal('busy', { headers: { 'retry-after': '10' } });
  underWay++;
  try {
    // Not the work itself: what holds the turn may be over before it.
    const { working } = await receiving(async () => {
      const working = work();
      await settledOrSlow(working, request);
      return { working };
    });
    return await working;
  } finally {
    underWay--;
  }
}

async function settledOrSlow(working: Promise<unknown>, request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  working.then(
    () => resolve(),
    () => resolve(),
  );
  let seen = request.socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = request.socket.bytesRead - seen;
    seen = request.socket.bytesRead;
    // While it does not flow it waits for us, and what it brought is in memory.
    if (request.readableFlowing && !request.complete && arrived < slow.bytes) resolve();
  }, slow.ms);
  await promise;
  clearInterval(timer);
}
