import type { IncomingMessage } from 'node:http';
import pLimit from 'p-limit';
import { TransferPlaces } from '../http/transfer-slots.ts';

/** How many bring bytes fast at once; the rest wait unread, since each takes memory. */
const receiving = pLimit(32);
/** Requests that may be under way or wait for their turn: those of one account, and all. */
const places = new TransferPlaces({
  perKey: 4,
  total: 500,
  detail: 'Ya tienes cuatro subidas en marcha. Espera a que acabe una y vuelve a intentarlo.',
  retryAfterSeconds: 5,
});
/** Who brings less than these bytes in this time takes little memory, and keeps nobody waiting. */
const slow = { ms: 250, bytes: 16 * 1024 };

/**
 * Does the work of a request that brings an upload's bytes when its turn comes. One whose bytes come
 * slowly or not at all gives its turn to the next, and goes on beside it, until its place is needed.
 * @throws ApiError `too_many_requests` or `busy`
 */
export async function withUploadSlot<T>(
  request: IncomingMessage,
  accountId: string,
  work: () => Promise<T>,
): Promise<T> {
  const { socket } = request;
  const giveBack = places.take(accountId, {
    movedBytes: () => socket.bytesRead,
    waitsForClient: () => waitsForClient(request),
    drop: () => socket.destroy(),
  });
  try {
    // Not the work itself: what holds the turn may be over before it.
    const { working } = await receiving(async () => {
      const working = work();
      await settledOrSlow(working, request);
      return { working };
    });
    return await working;
  } finally {
    giveBack();
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
    if (waitsForClient(request) && arrived < slow.bytes) resolve();
  }, slow.ms);
  await promise;
  clearInterval(timer);
}

/** While it does not flow it waits for this server, and what it brought is in memory. */
function waitsForClient(request: IncomingMessage): boolean {
  return Boolean(request.readableFlowing) && !request.complete;
}
