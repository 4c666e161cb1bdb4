import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { isLocalOrigin, requireHost } from '../../http/site-origin.ts';

/** 256 bits in base64url. */
const valuePattern = /^[A-Za-z0-9_-]{43}$/;

/** The cookie of a remembered browser, which is sent to one path only. */
export interface DeviceCookie {
  /** The distinct, well-formed values in the request. */
  values: string[];
  set: (reply: FastifyReply, value: string, maxAgeMs: number) => void;
  clear: (reply: FastifyReply) => void;
}

/**
 * @param publicUrl origin of the site
 * @returns undefined on plain http other than localhost, where the cookie could be intercepted
 */
export function deviceCookie(
  request: FastifyRequest,
  publicUrl: string | undefined,
): DeviceCookie | undefined {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  if (!isSecure && !isLocal(request)) return undefined;
  const name = isSecure ? '__Secure-tertulia' : 'tertulia';
  const attributes = `Path=${apiRoutes.resume}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const send = (reply: FastifyReply, value: string, maxAgeMs: number) => {
    const seconds = Math.max(0, Math.floor(maxAgeMs / 1000));
    reply.header('set-cookie', `${name}=${value}; Max-Age=${seconds}; ${attributes}`);
  };
  return {
    values: valuesOf(request.headers.cookie ?? '', name),
    set: send,
    clear: (reply) => send(reply, '', 0),
  };
}

/** Checks Origin besides Host, because a proxy may replace Host. */
function isLocal(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && !isLocalOrigin(origin)) return false;
  return isLocalOrigin(`http://${requireHost(request)}`);
}

/** @param header at most 16 kB, Node's limit for all headers together */
function valuesOf(header: string, name: string): string[] {
  const values = header.split(';').flatMap((pair) => {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    return key.trim() === name && valuePattern.test(value) ? [value] : [];
  });
  return [...new Set(values)];
}
