import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { parseCommentNumber, parseCommentRange } from '../../shared/comment-range.ts';
import type { ProblemCode } from '../../shared/errors.ts';
import type { PageData } from '../../shared/page-data.ts';
import { isFormPage, type PageName, pages } from '../../shared/pages.ts';
import { homeUrl, pageRoutes, withQuery } from '../../shared/routes.ts';
import { sendCachedResponse } from '../cache/cached-response.ts';
import { cachedRoute, type ResponseCache } from '../cache/response-cache.ts';
import type { Config } from '../config/config.ts';
import { InvalidCursor } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import type { SearchService } from '../search/search-service.ts';
import { channelData, homeData, logData, personData, searchData } from './page-data.ts';
import { type MakePage, originOf, pathOf } from './render-page.ts';

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
