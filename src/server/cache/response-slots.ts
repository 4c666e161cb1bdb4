import type { FastifyRequest } from 'fastify';
import { refuseUnavailable } from '../http/api-error.ts';
import { FairTurns } from '../http/fair-semaphore.ts';
import { addressKey } from '../http/address-key.ts';

/** What takes milliseconds of the processor for an answer: few at once, so that all else goes on. */
const making = new FairTurns(4, 1000, refuseUnavailable);

/**
 * Makes what an answer needs when the caller's address has its turn.
 * @throws Refusal `unavailable` when too much waits for that address
 */
export function inMakingTurn<T>({ ip }: FastifyRequest, make: () => Promise<T> | T): Promise<T> {
  return making.run(addressKey(ip), make);
}
