import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { sendCachedResponse } from '../http/cache/cached-response.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { isForPage } from '../http/page-requests.ts';
import type { Config } from '../system/settings/config.ts';
import { type MakePageResponse, originOf } from './render-page.ts';

/**
 * Answers a guest in a community of members: every address of a page gets the same one, which says nothing about what
 * is there, and everything else ApiError `not_signed_in`.
 */
export function guestRefuser(
  makePageResponse: MakePageResponse,
  { responses, config }: { responses: ResponseCache; config: Pick<Config, 'publicUrl'> },
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!isForPage(request)) throw new ApiError('not_signed_in');
    const key = `members only ${originOf(request, config)}`;
    const make = () => makePageResponse(request, { page: 'members-only' });
    return sendCachedResponse(reply, await responses.get(key, make));
  };
}
