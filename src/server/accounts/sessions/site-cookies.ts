import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { isLocalOrigin, requireHost } from '../../http/site-origin.ts';

/** 256 bits in base64url. */
const valuePattern = /^[A-Za-z0-9_-]{43}$/;

export interface SiteCookie {
  /** The distinct, well-formed values in the request. */
  values: string[];
  /** Without an age, the cookie ends when the browser is closed. */
  set: (reply: FastifyReply, value: string, maxAgeMs?: number) => void;
  clear: (reply: FastifyReply) => void;
}

/** A cookie's name with and without TLS, and its attributes. */
interface CookieKind {
  names: { secure: string; local: string };
  attributes: string;
}

/** The cookie of a remembered browser, which is sent to one path only. */
const deviceKind: CookieKind = {
  names: { secure: '__Secure-tertulia', local: 'tertulia' },
  attributes: `Path=${apiRoutes.resume}; HttpOnly; SameSite=Strict`,
};

/** The cookie with which a browser reads a community of members. */
const readerKind: CookieKind = {
  names: { secure: '__Host-tertulia-reader', local: 'tertulia-reader' },
  attributes: 'Path=/; HttpOnly; SameSite=Lax',
};

const isOnTls = (publicUrl: string | undefined) => publicUrl?.startsWith('https:') ?? false;

const nameOf = ({ names }: CookieKind, publicUrl: string | undefined) =>
  isOnTls(publicUrl) ? names.secure : names.local;

export const deviceCookieName = (publicUrl: string | undefined) => nameOf(deviceKind, publicUrl);

export const deviceCookie = (request: FastifyRequest, publicUrl: string | undefined) =>
  siteCookie(deviceKind, request, publicUrl);

export const readerCookie = (request: FastifyRequest, publicUrl: string | undefined) =>
  siteCookie(readerKind, request, publicUrl);

/**
 * @param publicUrl origin of the site
 * @returns undefined on plain http other than localhost, where the cookie could be intercepted
 */
function siteCookie(
  kind: CookieKind,
  request: FastifyRequest,
  publicUrl: string | undefined,
): SiteCookie | undefined {
  const isSecure = isOnTls(publicUrl);
  if (!isSecure && !isLocal(request)) return undefined;
  const name = nameOf(kind, publicUrl);
  const send = (reply: FastifyReply, value: string, maxAgeMs?: number) => {
    const age =
      maxAgeMs === undefined ? '' : `; Max-Age=${Math.max(0, Math.floor(maxAgeMs / 1000))}`;
    reply.header(
      'set-cookie',
      `${name}=${value}${age}; ${kind.attributes}${isSecure ? '; Secure' : ''}`,
    );
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
