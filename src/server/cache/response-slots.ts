import type { FastifyRequest } from 'fastify';
import { addressKey } from '../http/address-key.ts';
import { unavailableError } from '../http/api-error.ts';
import { FairSemaphore } from '../http/fair-semaphore.ts';

/** What takes milliseconds of the processor for an answer: few at once, so that all else goes on. */
const making = new FairSemaphore(4, 1000, unavailableError);

/**
 * Makes what an answer needs when the caller's address has its turn.
 * @throws ApiError `unavailable` when too much waits for that address
 */
export function withResponseSlot<T>(
  { ip }: FastifyRequest,
  make: () => Promise<T> | T,
): Promise<T> {
  return making.run(addressKey(ip), make);
}
