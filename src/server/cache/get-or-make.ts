import type { FastifyRequest } from 'fastify';
import { inMakingTurn } from './response-slots.ts';
import type { Answer } from './cached-response.ts';
import type { AnswerCache, Subject } from './response-cache.ts';

/**
 * The kept answer, else what `make` comes to once the caller's address has its turn: not that of
 * whoever asked first, who may have asked for much else before.
 * @param key as in `AnswerCache`
 */
export async function keptOrMade(
  answers: AnswerCache,
  request: FastifyRequest,
  { key, subject }: { key: string; subject: Subject },
  make: () => Promise<Answer>,
): Promise<Answer> {
  return answers.kept(key) ?? inMakingTurn(request, () => answers.get(key, subject, make));
}
