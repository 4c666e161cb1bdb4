import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSiteOrigin } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { giveReaderCookie, readerOf } from './reader-cookies.ts';
import {
  createGuard,
  findAndExtendSession,
  type Gate,
  type SessionServices,
} from './session-guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that reads a community of members; null in a community that everyone may read. */
    reader: string | null;
  }
}

/** In a community of members, gives the browser that has opened a session a reading cookie. */
export async function openReading(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  const { db, config, now } = services;
  if ((await services.settings()).readers === 'everyone') return;
  const session = await findAndExtendSession(db, token, now(), config.sessionDays);
  if (session) await giveReaderCookie(services, request, reply, session);
}

/** Reads of documents and their parts, for which the browser sends the reading cookie by itself. */
const readMethods = ['GET', 'HEAD'];

/**
 * In a community of members, admits only them, by their token or by the reading cookie, once they have their turn.
 * @param refuse answers a guest
 */
export function createReadingGate(services: SessionServices, refuse: Gate): Gate {
  const checkToken = createGuard(services, 'readers');
  return async (request, reply) => {
    if ((await services.settings()).readers === 'everyone') return undefined;
    await request.takeTurn(reply);
    if (reply.sent) return reply;
    const vary = [reply.getHeader('vary') ?? [], 'cookie'].flat().join(', ');
    reply.headers({ 'cache-control': 'private, no-store', vary });
    if (request.headers.authorization) {
      await checkToken(request, reply);
      request.reader = request.session?.user.id ?? null;
    } else if (readMethods.includes(request.method) && !isFromOtherPage(request, services.config)) {
      request.reader = (await readerOf(services, request)) ?? null;
    }
    return request.reader === null ? refuse(request, reply) : undefined;
  };
}

/** Whether a page of another site sent the request, other than by a link to a page of the forum. */
function isFromOtherPage(
  request: FastifyRequest,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): boolean {
  const { headers } = request;
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  // An older browser.
  if (site === undefined && headers.origin !== undefined) return !isSiteOrigin(request, publicUrl);
  const isNavigation = mode === 'navigate' && dest === 'document';
  return (site === 'cross-site' || site === 'same-site') && !isNavigation;
}
