import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { isLocalOrigin } from '../../http/own-origin.ts';
import { requireHost } from '../../http/request-host.ts';

/** 256 bits in base64url. */
const valuePattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * The cookie of a browser that stays signed in. Browsers send it to one path only.
 */
export interface DeviceCookie {
  /** Well-formed values that the request brings, each once. */
  values: string[];
  set: (reply: FastifyReply, value: string, maxAgeMs: number) => void;
  clear: (reply: FastifyReply) => void;
}

/**
 * @param publicUrl origin of the site
 * @returns undefined where the connection could be listened to: nothing is remembered there
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

/** A proxy may put its own Host into a request; the browser's Origin then names another. */
function isLocal(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin !== undefined && !isLocalOrigin(origin)) return false;
  return isLocalOrigin(`http://${requireHost(request)}`);
}

/** @param header of at most 16 kB, as Node bounds all headers together */
function valuesOf(header: string, name: string): string[] {
  const values = header.split(';').flatMap((pair) => {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    return key.trim() === name && valuePattern.test(value) ? [value] : [];
  });
  return [...new Set(values)];
}
