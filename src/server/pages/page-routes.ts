import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { parseCommentNumber, parseCommentRange } from '../../shared/comment-range.ts';
import type { ProblemCode } from '../../shared/errors.ts';
import type { PageData } from '../../shared/page-data.ts';
import { isFormPage, type PageName, pages } from '../../shared/pages.ts';
import { homeUrl, pageRoutes, withQuery } from '../../shared/routes.ts';
import { cachedRoute } from '../cache/cached-get.ts';
import { CachedResponse } from '../cache/cached-response.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendCachedResponse } from '../cache/send-response.ts';
import type { Config } from '../config/config.ts';
import { DatabaseUnavailable, InvalidCursor } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { requireHost } from '../http/request-host.ts';
import type { SearchService } from '../search/search-service.ts';
import { shownSettings } from '../site-settings/site-settings.ts';
import { channelData, homeData, logData, personData, searchData } from './page-data.ts';
import type { PageRenderer } from './render-page.ts';

const text = Type.Optional(Type.String());
const homeQuery = Type.Object({ sort: text, after: text });
const rangeQuery = Type.Object({ n: text, before: text, after: text });
const afterQuery = Type.Object({ after: text });
const searchQuery = Type.Object({
  q: text,
  channel: text,
  author: text,
  exact: text,
  sort: text,
  after: text,
});
const hide = { hide: true };

/** Problems for which the NotFound page is sent. */
const notFoundCodes: ProblemCode[] = ['channel_not_found', 'user_not_found'];

const formPages = (Object.keys(pages) as PageName[]).filter(isFormPage);

/**
 * Browsers revalidate each time. A shared cache can serve a page for one second, and for half a minute more
 * while it revalidates: the script updates an older page in the browser.
 */
const pageCacheControl = 'public, max-age=0, s-maxage=1, stale-while-revalidate=30';

const uncached: PageName[] = ['not-found', 'search'];

/** Renders the page of a request's URL from its data. */
export type MakePage = (request: FastifyRequest, pageData: PageData) => Promise<CachedResponse>;

export async function pageMaker({
  db,
  config,
  renderPage,
}: {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'socialLinks' | 'maxImageMb' | 'contact'>;
  renderPage: PageRenderer;
}): Promise<MakePage> {
  let known = await shownSettings(db, config);
  return async (request, pageData) => {
    try {
      known = await shownSettings(db, config);
    } catch (error) {
      // Pages without data are served without the database.
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
    const { name, welcome, registration, holdsFirstPosts, rules, contact, links } = known;
    const path = pathOf(request);
    const { n } = request.query as { n?: string };
    const commentNumber = pageData.page === 'channel' ? parseCommentNumber(n) : undefined;
    const isShown = pageData.page === 'recover' || pageData.page === 'rules';
    const site = {
      ...{ name, welcome, registration, timesForms: holdsFirstPosts },
      ...{ socialLinks: links, maxImageMb: config.maxImageMb },
      ...(pageData.page === 'rules' && { rules }),
      ...(isShown && { contact: contact || null }),
    };
    const page = renderPage({ path, pageData, commentNumber, site }, originOf(request, config));
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      'cache-control': uncached.includes(pageData.page) ? 'no-store' : pageCacheControl,
    };
    return new CachedResponse(page.html, headers);
  };
}

export function notFoundSender(makePage: MakePage) {
  return async (reply: FastifyReply) => {
    const { request } = reply;
    const page = await makePage(request, { page: 'not-found' });
    return sendCachedResponse(reply.code(404), page);
  };
}

export function pageRoutesOf(
  app: App,
  services: {
    db: Database;
    responses: ResponseCache;
    config: Pick<Config, 'publicUrl'>;
    searches: SearchService;
  },
  makePage: MakePage,
): void {
  const { db, responses, config, searches } = services;
  const sendNotFound = notFoundSender(makePage);
  const page = {
    respond: (reply: FastifyReply, pageData: PageData) => makePage(reply.request, pageData),
    // Pages contain the site's origin, so it is part of the key.
    keyPrefix: (request: FastifyRequest) => originOf(request, config),
    errorHandler: async (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      const isMissing =
        error instanceof InvalidCursor ||
        (error instanceof ApiError && notFoundCodes.includes(error.code));
      if (!isMissing) throw error;
      await sendNotFound(reply);
    },
  };

  cachedRoute(app, responses, pageRoutes.home, {
    ...page,
    schema: { ...hide, querystring: homeQuery },
    read: ({ query: { sort, after } }) => {
      // Any other value means the default order.
      const order = sort === 'activity' || sort === 'new' ? sort : 'comments';
      return {
        url: homeUrl(order, after),
        subject: 'lists',
        load: () => homeData(db, order, after),
      };
    },
  });
  cachedRoute(app, responses, pageRoutes.channel(':id'), {
    ...page,
    schema: { ...hide, params: Type.Object({ id: Type.String() }), querystring: rangeQuery },
    read: (request) => {
      const { id } = request.params;
      const range = parseCommentRange(request.query);
      const number = parseCommentNumber(request.query.n);
      const { before, after } = range;
      return {
        // The page contains the requested path, and a preview of the comment that it names.
        url: withQuery(pathOf(request), { n: number, before, after }),
        subject: { channelId: id },
        load: () => channelData(db, id, range),
      };
    },
  });
  cachedRoute(app, responses, pageRoutes.user(':id'), {
    ...page,
    schema: { ...hide, params: Type.Object({ id: Type.String() }), querystring: afterQuery },
    read: (request) => {
      const { id } = request.params;
      const { after } = request.query;
      return {
        url: withQuery(pathOf(request), { after }),
        subject: 'lists',
        load: () => personData(db, id, after),
      };
    },
  });
  cachedRoute(app, responses, pageRoutes.log, {
    ...page,
    schema: { ...hide, querystring: afterQuery },
    read: ({ query: { after } }) => ({
      url: withQuery(pageRoutes.log, { after }),
      // Decisions about people are not announced.
      subject: undefined,
      load: () => logData(db, after),
    }),
  });
  app.get(
    pageRoutes.search,
    {
      schema: { ...hide, querystring: searchQuery },
      config: { budget: 'search' },
      errorHandler: page.errorHandler,
    },
    async (request, reply) => {
      const pageData = await searchData(searches, request, request.query);
      const response = await makePage(request, pageData);
      return sendCachedResponse(reply, response);
    },
  );
  for (const name of formPages) {
    cachedRoute(app, responses, pageRoutes[name], {
      ...page,
      schema: hide,
      read: () => ({
        url: pageRoutes[name],
        subject: 'site',
        load: async () => ({ page: name }),
      }),
    });
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** Returns the site's origin. Without `PUBLIC_URL` it is plain http, because the server has no TLS. */
function originOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>) {
  return publicUrl ?? `http://${requireHost(request)}`;
}
