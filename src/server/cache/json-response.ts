import type { FastifyReply } from 'fastify';
import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';
import { CachedResponse } from './cached-response.ts';

const headers = {
  'content-type': 'application/json; charset=utf-8',
  // Whoever asks wants it as it is now; who has it already is told so in a few bytes.
  'cache-control': 'public, no-cache',
};

/** The value as the response schema of this route lets it out. */
export function jsonResponse(
  reply: FastifyReply,
  value: unknown,
  accountIds: Iterable<string>,
): CachedResponse {
  return new CachedResponse(String(reply.serialize(value)), headers, accountIds);
}

/** Everyone who wrote these channels and the comments embedded in them. */
export function authorsOf(written: readonly (Channel | Comment)[]): string[] {
  return written.flatMap((item) =>
    'comments' in item ? [item.autorId, ...authorsOf(item.comments)] : [item.autorId],
  );
}
