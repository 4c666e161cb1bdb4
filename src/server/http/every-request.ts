import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../system/settings/config.ts';
import { ApiError } from './api-error.ts';

/** Longer than the site's own paths, except for images with long names. Clients can send 16 kB. */
const pathChars = 500;

/** Time for a whole body from the end of its headers; uploads may take `requestTimeout`. A test shortens it. */
export const body = { ms: 20_000 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by routes that pages of other sites may have browsers send any request to. */
    isForOtherSites?: true;
  }
}

/** Methods with which other sites may send requests. */
const reading = ['GET', 'HEAD', 'OPTIONS'];

interface Options {
  /** Headers of every response. */
  headers: Record<string, string>;
  config: Pick<Config, 'corsOrigins'>;
  sendNotFound: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/** Hooks for every request: headers, the refusals that no route makes, an end of slow bodies, and a line in the log. */
export function handleEveryRequest(
  app: FastifyInstance,
  { headers, config, sendNotFound }: Options,
): void {
  // Callbacks rather than promises: a cached response takes little more than these hooks.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    dropSlowBody(request);
    if (isFromOtherSite(request, config)) done(new ApiError('other_origin'));
    // PostgreSQL text cannot store NUL. Bodies with one are refused where they are parsed.
    else if (request.url.includes('%00')) {
      Promise.try(sendNotFound, request, reply).catch(done);
    } else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logResponse(request, reply);
    done();
  });
}

/** Closes the connection if a body does not arrive in time. */
function dropSlowBody({ raw, headers, routeOptions }: FastifyRequest): void {
  const hasBody = headers['transfer-encoding'] || Number(headers['content-length']) > 0;
  if (!hasBody || routeOptions.config.moves === 'upload') return;
  const timer = setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, body.ms).unref();
  raw.once('close', () => clearTimeout(timer));
}

/**
 * Whether a page of another site sends a request other than a read, and is not in CORS_ORIGINS. Such a request cannot
 * sign anybody in, but would count as a visitor's wrong password, for rate limits.
 */
function isFromOtherSite(
  { method, headers, routeOptions }: FastifyRequest,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
): boolean {
  if (reading.includes(method) || routeOptions.config.isForOtherSites) return false;
  const { origin = '', 'sec-fetch-site': site = '' } = headers;
  return ['cross-site', 'same-site'].includes(String(site)) && !corsOrigins.includes(origin);
}

/**
 * Logs one line for each response: successful reads at `debug`, all others at `info`. Client
 * addresses, headers and bodies are not logged, nor are receipts of reports and tokens of mails.
 */
function logResponse(request: FastifyRequest, reply: FastifyReply): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const level = isRead && reply.statusCode < 400 ? 'debug' : 'info';
  request.log[level](
    {
      method: request.method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    },
    'request',
  );
}

function loggedPath({ url, params, is404, routeOptions }: FastifyRequest): string | undefined {
  // Without a route, such as for another method or a preflight, nothing tells whether the rest is a secret.
  if (is404 || routeOptions.url === '*') return /^\/*[^/?]*/.exec(url)?.[0].slice(0, pathChars);
  const isSecret = ['receipt', 'token'].some((name) => Object.hasOwn(Object(params), name));
  return isSecret ? routeOptions.url : url.split('?', 1)[0]?.slice(0, pathChars);
}
