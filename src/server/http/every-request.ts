import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldsOf } from '../../shared/fields-of.ts';
import { encodedHash } from '../../shared/routes.ts';
import type { Config } from '../system/settings/config.ts';
import { ApiError } from './api-error.ts';

/** Logged part of a path. Only paths of images with long names are longer; clients can send 16 kB. */
const pathChars = 500;

/** Time limit for a body, from the end of the headers; uploads have `requestTimeout` instead. A test shortens it. */
export const body = { ms: 20_000 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by routes that accept requests of any method from pages of other sites. */
    isForOtherSites?: true;
  }
}

/** Methods of the requests that pages of other sites may send. */
const reading = ['GET', 'HEAD', 'OPTIONS'];

interface Options {
  headers: Record<string, string>;
  config: Pick<Config, 'corsOrigins'>;
}

/** Hooks for every request: response headers, refusals common to all routes, a time limit for bodies, and a log line. */
export function handleEveryRequest(app: FastifyInstance, { headers, config }: Options): void {
  // Callbacks are faster than promises, which matters here: these hooks are most of the cost of a cached response.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    dropSlowBody(request);
    if (isFromOtherSite(request, config)) done(new ApiError('other_origin'));
    else done();
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
 * Whether a request other than a read comes from a page of another site that is not in CORS_ORIGINS. It could not sign
 * anybody in, but it would use up the visitor's rate limits, for example with wrong passwords.
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
 * Logs one line for each response: successful reads at `debug`, all others at `info`. Does not log client
 * addresses, headers, bodies, receipts of reports, secrets of calendars or tokens from mails.
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

function loggedPath({ url: asked, params, is404, routeOptions }: FastifyRequest) {
  // The part behind a `#` may be a secret, also in an address whose `#` was encoded on the way.
  const url = asked.split(encodedHash, 1)[0] ?? '';
  // Without a route, as for an unknown method or a preflight, the rest of the path could be a secret.
  if (is404 || routeOptions.url === '*') return /^\/*[\w.-]*/.exec(url)?.[0].slice(0, pathChars);
  const isSecret = ['receipt', 'secret', 'token'].some((name) => name in fieldsOf(params));
  return isSecret ? routeOptions.url : url.split('?', 1)[0]?.slice(0, pathChars);
}
