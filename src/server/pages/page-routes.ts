import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { ChannelOrder } from '../../shared/channels.ts';
import { parseLinkedNumber } from '../../shared/comment-id.ts';
import { type CommentRange, parseCommentRange } from '../../shared/comment-range.ts';
import type { ProblemCode } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import type { PageData, SearchContent } from '../../shared/page-data.ts';
import { isFormPage, type PageName, pages } from '../../shared/pages.ts';
import { homeUrl, pageRoutes, withQuery } from '../../shared/routes.ts';
import { InvalidCursor } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import {
  listChannels,
  listHomeChannels,
  requireChannel,
  requireShownChannel,
} from '../forum/channels/channel-queries.ts';
import { listComments, type PageRange } from '../forum/comments/comment-pages.ts';
import { parseCommentCursor } from '../forum/cursors.ts';
import { listCalendar } from '../forum/events/calendar.ts';
import { type DocumentQuery, listDocuments } from '../forum/files/list-documents.ts';
import { listPersonComments, requirePerson } from '../forum/people/person-queries.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { sendCachedResponse } from '../http/cache/cached-response.ts';
import { cachedRoute, type ResponseCache } from '../http/cache/response-cache.ts';
import { listLog } from '../moderation/log/log-queries.ts';
import { parseSearchText } from '../search/query/search-text.ts';
import type { SearchService } from '../search/search-service.ts';
import type { Config } from '../system/settings/config.ts';
import { type MakePageResponse, originOf, pathOf } from './render-page.ts';

const text = Type.Optional(Type.String());
const homeQuery = Type.Object({ sort: text, after: text });
const rangeQuery = Type.Object({ n: text, before: text, after: text });
const afterQuery = Type.Object({ after: text });
const documentsQuery = Type.Object({ q: text, channel: text, after: text });
const calendarQuery = Type.Object({ from: text, after: text });
const searchQuery = Type.Object({
  q: text,
  channel: text,
  author: text,
  exact: text,
  sort: text,
  after: text,
});
const hide = { hide: true };

/** Errors for which the NotFound page is sent. */
const notFoundCodes: ProblemCode[] = ['channel_not_found', 'user_not_found'];

const formPages = (Object.keys(pages) as PageName[]).filter((name) => isFormPage(name));

export function notFoundSender(makePageResponse: MakePageResponse) {
  return async (reply: FastifyReply) => {
    const { request } = reply;
    const page = await makePageResponse(request, { page: 'not-found' });
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
    now: () => number;
  },
  makePageResponse: MakePageResponse,
): void {
  const { db, responses, config, searches, now } = services;
  const sendNotFound = notFoundSender(makePageResponse);
  const page = {
    respond: (reply: FastifyReply, pageData: PageData) => makePageResponse(reply.request, pageData),
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
        load: () => homeData(db, order, after, now()),
      };
    },
  });
  cachedRoute(app, responses, pageRoutes.channel(':id'), {
    ...page,
    schema: { ...hide, params: Type.Object({ id: Type.String() }), querystring: rangeQuery },
    read: (request) => {
      const { id } = request.params;
      const range = parseCommentRange(request.query);
      const number = parseLinkedNumber(request.query.n);
      const { before, after } = range;
      return {
        // The page contains the requested path, and a preview of the comment with this number.
        url: withQuery(pathOf(request), { n: number, before, after }),
        channelId: id,
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
        load: () => personData(db, id, after),
      };
    },
  });
  cachedRoute(app, responses, pageRoutes.calendar, {
    ...page,
    schema: { ...hide, querystring: calendarQuery },
    read: ({ query: { from, after } }) => ({
      url: withQuery(pageRoutes.calendar, { from, after }),
      load: () => calendarData(db, { from, after }, now()),
    }),
  });
  cachedRoute(app, responses, pageRoutes.documents, {
    ...page,
    schema: { ...hide, querystring: documentsQuery },
    read: ({ query: { q = '', channel, after } }) => ({
      // Any text may be searched for.
      url: q === '' ? withQuery(pageRoutes.documents, { channel, after }) : undefined,
      load: () => documentsData(db, { q, channel, after }),
    }),
  });
  cachedRoute(app, responses, pageRoutes.log, {
    ...page,
    schema: { ...hide, querystring: afterQuery },
    read: ({ query: { after } }) => ({
      // Not cached, because decisions about people are not announced.
      url: undefined,
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
      const response = await makePageResponse(request, pageData);
      return sendCachedResponse(reply, response);
    },
  );
  for (const name of formPages) {
    cachedRoute(app, responses, pageRoutes[name], {
      ...page,
      schema: hide,
      read: () => ({
        url: pageRoutes[name],
        load: async () => ({ page: name }),
      }),
    });
  }
}

/** Loads one page of the home list in this order, after a cursor. @throws InvalidCursor */
async function homeData(
  db: Database,
  order: ChannelOrder,
  after: string | undefined,
  nowMs: number,
): Promise<PageData> {
  const options = { order, limit: limits.channelsPerPage, embed: 0, after };
  const page = await listHomeChannels(db, options, nowMs);
  const { data, next, pinned = [], announcements = [], upcoming = [] } = page;
  const shown = { channels: data, pinned, announcements, upcoming };
  return { page: 'home', ...shown, order, next, after: after ?? null };
}

/** Loads a channel with one page of its comments. @throws ApiError `channel_not_found`; InvalidCursor */
async function channelData(db: Database, id: string, range: CommentRange): Promise<PageData> {
  const channel = await requireShownChannel(db, id, 0);
  const { data, next, previous } = await listComments(db, channel, {
    limit: limits.commentsPerPage,
    range: pageRangeOf(id, range),
  });
  return { page: 'channel', channel: { ...channel, comments: data }, next, previous, range };
}

/** Loads one page of the dates of a month. @throws InvalidCursor */
async function calendarData(
  db: Database,
  query: { from: string | undefined; after: string | undefined },
  nowMs: number,
): Promise<PageData> {
  const calendar = await listCalendar(db, query, nowMs);
  const { from = null, after = null } = query;
  return { page: 'calendar', calendar, from, after };
}

/** Loads one page of the list of files. @throws ApiError `channel_not_found`; InvalidCursor */
async function documentsData(db: Database, query: DocumentQuery): Promise<PageData> {
  const { q = '', channel: id, after = null } = query;
  const channel = id === undefined ? null : await requireChannel(db, id, 0);
  const documents = await listDocuments(db, query);
  return {
    page: 'documents',
    q: q.toWellFormed().trim(),
    channel: channel && { _id: channel._id, name: channel.name },
    documents,
    after,
  };
}

function pageRangeOf(channelId: string, { after, before, around }: CommentRange): PageRange {
  if (around !== undefined) return { around };
  if (before !== undefined) return { before: parseCommentCursor(channelId, before) };
  return { after: after === undefined ? 0 : parseCommentCursor(channelId, after) };
}

/** Loads a person with one page of comments after a cursor. @throws ApiError `user_not_found`; InvalidCursor */
async function personData(db: Database, id: string, after: string | undefined): Promise<PageData> {
  const person = await requirePerson(db, id);
  const channels = await listChannels(db, {
    order: 'new',
    limit: limits.listItems,
    embed: 0,
    authorId: id,
  });
  const { data: comments, next } = await listPersonComments(db, id, {
    limit: limits.commentsPerPerson,
    after,
  });
  return { page: 'user', person, channels: channels.data, comments, next, after: after ?? null };
}

/** Loads one page of the public log of decisions, after a cursor. @throws InvalidCursor */
async function logData(db: Database, after: string | undefined): Promise<PageData> {
  const { data: entries, next } = await listLog(db, after);
  return { page: 'log', entries, next, after: after ?? null };
}

interface SearchParameters {
  q?: string | undefined;
  channel?: string | undefined;
  author?: string | undefined;
  exact?: string | undefined;
  sort?: string | undefined;
  after?: string | undefined;
}

/**
 * Loads one page of search results, or a hint when the text is not searchable.
 * @throws ApiError `channel_not_found`; InvalidCursor; errors of `search`
 */
async function searchData(
  service: SearchService,
  request: FastifyRequest,
  { q, channel: channelId, author: authorId, exact, sort, after }: SearchParameters,
): Promise<PageData> {
  const channel = channelId ? await service.requireSearchedChannel(channelId) : null;
  const author = authorId ? await findAuthor(service, authorId) : null;
  const order = sort === 'relevance' ? sort : 'new';
  const text = q === undefined ? undefined : parseSearchText(q, false);
  const content: SearchContent = {
    q: q?.toWellFormed().trim() ?? '',
    channel,
    author,
    isExact: exact === '1',
    sort: order,
    after: after ?? null,
    results: null,
    hint: null,
  };
  if (!text || author?.name === null) return { page: 'search', ...content };
  if ('hint' in text) return { page: 'search', ...content, hint: text.hint };
  const results = await service.search(request, {
    ...text,
    isTyping: false,
    isExact: content.isExact,
    channelId: channel?._id,
    authorId: author?.id,
    sort: order,
    limit: limits.hitsPerPage,
    after,
  });
  return { page: 'search', ...content, q: text.q, results };
}

async function findAuthor({ requireSearchedAuthor }: SearchService, id: string) {
  try {
    const { name } = await requireSearchedAuthor(id);
    return { id, name };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'user_not_found') return { id, name: null };
    throw error;
  }
}
