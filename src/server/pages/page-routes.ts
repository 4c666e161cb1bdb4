import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { PageData } from '../../shared/page-data.ts';
import { assetRoutes, pageRoutes, withQuery } from '../../shared/routes.ts';
import { CachedResponse } from '../cache/cached-response.ts';
import { getOrMake } from '../cache/get-or-make.ts';
import { authorsOf } from '../cache/json-response.ts';
import type { Subject } from '../cache/response-cache.ts';
import { withResponseSlot } from '../cache/response-slots.ts';
import { sendCachedResponse, serveFromCache } from '../cache/send-response.ts';
import { InvalidCursor } from '../database/errors.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { requireHost } from '../http/request-host.ts';
import { azulejo } from './azulejo.ts';
import { channelData, homeData } from './page-data.ts';

const querystring = Type.Object({ after: Type.Optional(Type.String()) });
const hide = { hide: true };

/**
 * Browsers ask each time, and are mostly told that nothing has changed. A cache in front may answer
 * for a second without asking, and for half a minute while it asks: what it shows late, the browser
 * makes good once the page runs.
 */
const mayBeKept = 'public, max-age=0, s-maxage=1, stale-while-revalidate=30';

/** Makes the page of an address from its data. */
export type MakePage = (request: FastifyRequest, pageData: PageData) => CachedResponse;

export function pageMaker({ config, renderPage }: Deps): MakePage {
  const site = { socialLinks: config.socialLinks, maxImageMb: config.maxImageMb };
  return (request, pageData) => {
    const path = pathOf(request);
    const page = renderPage({ path, pageData, site }, originOf(request, config));
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      'cache-control': pageData.page === 'not-found' ? 'no-store' : mayBeKept,
    };
    return new CachedResponse(page.html, headers, accountsOn(pageData));
  };
}

/** Sends the page that says that there is no such page. */
export function notFoundSender(makePage: MakePage) {
  return async (reply: FastifyReply) => {
    const { request } = reply;
    const answer = await withResponseSlot(request, () => makePage(request, { page: 'not-found' }));
    return sendCachedResponse(reply.code(404), answer);
  };
}

export function pageRoutesOf(app: App, deps: Deps, makePage: MakePage): void {
  const { db, answers, config } = deps;
  const sendNotFound = notFoundSender(makePage);
  const keyOf = (request: FastifyRequest, url: string) => `${originOf(request, config)} ${url}`;
  const onRequest = serveFromCache(answers, (request) => keyOf(request, request.url));

  /**
   * @param after where its list goes on
   * @param load what it shows; undefined when there is nothing at this address
   */
  async function sendPage(
    reply: FastifyReply,
    subject: Subject,
    after: string | undefined,
    load: () => Promise<PageData | undefined>,
  ): Promise<void> {
    const { request } = reply;
    const key = keyOf(request, withQuery(pathOf(request), { after }));
    try {
      const answer = await getOrMake(answers, request, { key, subject }, async () => {
        const pageData = await load();
        if (!pageData) throw new ApiError('not_found');
        return makePage(request, pageData);
      });
      return await sendCachedResponse(reply, answer);
    } catch (error) {
      const isNotFound =
        error instanceof InvalidCursor || (error instanceof ApiError && error.code === 'not_found');
      if (isNotFound) return sendNotFound(reply);
      throw error;
    }
  }

  app.get(pageRoutes.home, { onRequest, schema: { ...hide, querystring } }, (request, reply) => {
    const { after } = request.query;
    return sendPage(reply, 'lists', after, () => homeData(db, after));
  });
  app.get(
    pageRoutes.channel(':id'),
    { onRequest, schema: { ...hide, params: Type.Object({ id: Type.String() }), querystring } },
    (request, reply) => {
      const { id } = request.params;
      const { after } = request.query;
      return sendPage(reply, { channelId: id }, after, () => channelData(db, id, after));
    },
  );
  for (const page of ['login', 'register', 'create', 'profile', 'password'] as const) {
    app.get(pageRoutes[page], { onRequest, schema: hide }, (_request, reply) =>
      sendPage(reply, 'site', undefined, async () => ({ page })),
    );
  }

  app.get(
    assetRoutes.azulejo(':seed'),
    { schema: hide },
    async (request: FastifyRequest<{ Params: { seed: string } }>, reply) => {
      const svg = await withResponseSlot(request, () => azulejo(request.params.seed));
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('image/svg+xml')
        .send(svg);
    },
  );
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** Of this site, as previews need it. The server itself speaks http only. */
function originOf(request: FastifyRequest, { publicUrl }: Pick<Deps['config'], 'publicUrl'>) {
  return publicUrl ?? `http://${requireHost(request)}`;
}

/** Everyone whose name or image the page shows. */
function accountsOn(pageData: PageData): string[] {
  if (pageData.page === 'home') return authorsOf(pageData.channels);
  return pageData.page === 'channel' ? authorsOf([pageData.channel]) : [];
}
