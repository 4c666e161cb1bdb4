import type { IncomingMessage } from 'node:http';
import { unavailableError } from '../http/api-error.ts';
import { FairSemaphore } from './fair-semaphore.ts';
import { TransferSlots } from './transfer-slots.ts';

/** Uploads received at full speed, which takes memory. Others that `slots` admits wait unread in rotation. */
const receiving = new FairSemaphore(32, Number.POSITIVE_INFINITY, unavailableError);
/** Limits the running and waiting requests, for each account and in total. */
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
    const { working } = await receiving.run(accountId, async () => {
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
  const { promise: becameSlow, resolve } = Promise.withResolvers<void>();
  let readBytes = request.socket.bytesRead;
  const timer = setInterval(() => {
    const received = request.socket.bytesRead - readBytes;
    readBytes = request.socket.bytesRead;
    if (waitsForClient(request) && received < slow.bytes) resolve();
  }, slow.ms);
  await Promise.race([Promise.allSettled([working]), becameSlow]);
  clearInterval(timer);
}

/** Returns false for a paused request, which waits for this server. */
function waitsForClient(request: IncomingMessage): boolean {
  return Boolean(request.readableFlowing) && !request.complete;
}
