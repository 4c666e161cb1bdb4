import type { FastifyRequest } from 'fastify';
import { addressKey } from '../http/address-key.ts';
import { unavailableError } from '../http/api-error.ts';
import { FairSemaphore } from '../http/fair-semaphore.ts';

/** Building a response takes milliseconds of CPU: a few at once leave time for other requests. */
const slots = new FairSemaphore(4, 1000, unavailableError);

/**
 * Runs `make`, which builds or compresses a response, when the caller's address has a slot.
 * Addresses take slots in rotation.
 * @throws ApiError `unavailable` when too many calls of that address wait
 */
export function withResponseSlot<T>(
  { ip }: FastifyRequest,
  make: () => Promise<T> | T,
): Promise<T> {
  return slots.run(addressKey(ip), make);
}
