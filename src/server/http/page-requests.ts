import type { FastifyRequest } from 'fastify';

const notPages =
  /^\/(?:(?:api|files|assets|azulejo|feeds)\/|(?:healthz|readyz|sitemap\.xml)(?:\?|$))/;

/** Whether the request reads a URL that may be a page: not an API route, a file, a feed or a health check. */
export function isForPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !notPages.test(url);
}

/** Whether a browser requests a document to display, rather than an asset or data for a script. */
export function isNavigation(request: FastifyRequest): boolean {
  return isForPage(request) && (request.headers.accept ?? '').includes('text/html');
}
