import type { FastifyRequest } from 'fastify';

const notPages = /^\/(?:(?:api|files|assets|azulejo)\/|(?:healthz|readyz|metrics)(?:\?|$))/;

/** Whether the address is one where people expect a page: none of the API, of a file or of a health check. */
export function isForPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !notPages.test(url);
}

/** Whether a browser opens the address, and shows people what it is answered. */
export function isNavigation(request: FastifyRequest): boolean {
  return isForPage(request) && (request.headers.accept ?? '').includes('text/html');
}
