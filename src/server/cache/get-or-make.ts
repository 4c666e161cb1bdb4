import type { FastifyRequest } from 'fastify';
import type { CachedResponse } from './cached-response.ts';
import type { ResponseCache, Subject } from './response-cache.ts';
import { withResponseSlot } from './response-slots.ts';

/**
 * The kept answer, else what `make` comes to once the caller's address has its turn: not that of
 * whoever asked first, who may have asked for much else before.
 * @param key as in `ResponseCache`
 */
export async function getOrMake(
  answers: ResponseCache,
  request: FastifyRequest,
  { key, subject }: { key: string; subject: Subject },
  make: () => Promise<CachedResponse>,
): Promise<CachedResponse> {
  return answers.kept(key) ?? withResponseSlot(request, () => answers.get(key, subject, make));
}
