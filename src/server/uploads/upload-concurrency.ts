import type { IncomingMessage } from 'node:http';
import pLimit from 'p-limit';
import { TransferSlots } from '../http/transfer-slots.ts';

/** Uploads received at full speed at once; the others wait unread, because each takes memory. */
const receiving = pLimit(32);
/** Limits the running and waiting requests of one account, and of all. */
const slots = new TransferSlots({
  perKey: 4,
  total: 500,
  detail: 'Ya tienes cuatro subidas en marcha. Espera a que acabe una y vuelve a intentarlo.',
  retryAfterSeconds: 5,
});
/** A request that sends fewer bytes than this in this time is slow and frees its slot. */
const slow = { ms: 250, bytes: 16 * 1024 };

/**
 * Runs the work of an upload request when a slot is free. A slow request frees its slot for the next
 * and continues without one, until the limit of requests is reached.
 * @throws ApiError `too_many_requests` or `busy`
 */
export async function withUploadSlot<T>(
  request: IncomingMessage,
  accountId: string,
  work: () => Promise<T>,
): Promise<T> {
  const { socket } = request;
  const release = slots.acquire(accountId, {
    movedBytes: () => socket.bytesRead,
    waitsForClient: () => waitsForClient(request),
    drop: () => socket.destroy(),
  });
  try {
    // Wrapped in an object, because the slot may be freed before the work ends.
    const { working } = await receiving(async () => {
      const working = work();
      await settledOrSlow(working, request);
      return { working };
    });
    return await working;
  } finally {
    release();
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

/** A paused request waits for this server instead, and its received bytes are in memory. */
function waitsForClient(request: IncomingMessage): boolean {
  return Boolean(request.readableFlowing) && !request.complete;
}
