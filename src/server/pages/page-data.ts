import type { FastifyRequest } from 'fastify';
import type { ChannelOrder } from '../../shared/channels.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import { limits } from '../../shared/limits.ts';
import type { PageData, SearchContent } from '../../shared/page-data.ts';
import { listChannels, requireChannel } from '../channels/channel-queries.ts';
import { listComments, type PageRange } from '../comments/comment-pages.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { listLog } from '../moderation/log-queries.ts';
import { listPersonComments, requirePerson } from '../people/person-queries.ts';
import { parseSearchText } from '../search/query/search-text.ts';
import type { SearchService } from '../search/search-service.ts';

/** Loads one page of the home list in this order, after a cursor. @throws InvalidCursor */
export async function homeData(
  db: Database,
  order: ChannelOrder,
  after: string | undefined,
): Promise<PageData> {
  const { data, next } = await listChannels(db, {
    order,
    limit: limits.channelsPerPage,
    embed: 0,
    after,
  });
  return { page: 'home', channels: data, order, next, isFirstPage: after === undefined };
}

/** Loads a channel with one page of its comments. @throws ApiError `channel_not_found`; InvalidCursor */
export async function channelData(
  db: Database,
  id: string,
  range: CommentRange,
): Promise<PageData> {
  const channel = await requireChannel(db, id, 0);
  const { data, next, previous } = await listComments(db, channel, {
    limit: limits.commentsPerPage,
    range: pageRangeOf(id, range),
  });
  return { page: 'channel', channel: { ...channel, comments: data }, next, previous, range };
}

function pageRangeOf(channelId: string, { after, before, around }: CommentRange): PageRange {
  if (around !== undefined) return { around };
  if (before !== undefined) return { before: parseCommentCursor(channelId, before).number };
  return { after: after === undefined ? 0 : parseCommentCursor(channelId, after).number };
}

/** Loads a person with one page of comments after a cursor. @throws ApiError `user_not_found`; InvalidCursor */
export async function personData(
  db: Database,
  id: string,
  after: string | undefined,
): Promise<PageData> {
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
  const isFirstPage = after === undefined;
  return { page: 'user', person, channels: channels.data, comments, next, isFirstPage };
}

/** Loads one page of the public log of decisions, after a cursor. @throws InvalidCursor */
export async function logData(db: Database, after: string | undefined): Promise<PageData> {
  const { data: entries, next } = await listLog(db, after);
  return { page: 'log', entries, next, isFirstPage: after === undefined };
}

/** The query parameters of the search page. */
export interface SearchParameters {
  q?: string | undefined;
  channel?: string | undefined;
  author?: string | undefined;
  exact?: string | undefined;
  sort?: string | undefined;
  after?: string | undefined;
}

/**
 * Loads one page of search results, or a hint when the text cannot be searched for.
 * @throws ApiError `channel_not_found`; InvalidCursor; errors of `search`
 */
export async function searchData(
  service: SearchService,
  request: FastifyRequest,
  { q, channel: channelId, author: authorId, exact, sort, after }: SearchParameters,
): Promise<PageData> {
  const channel = channelId ? await service.requireSearchedChannel(channelId) : null;
  const author = authorId ? await findAuthor(service, authorId) : null;
  const order = sort === 'relevance' ? sort : 'new';
  const text = q === undefined ? undefined : parseSearchText(q, false);
  const content: SearchContent = {
    q: q?.toWellFormed() ?? '',
    channel,
    author,
    isExact: exact === '1',
    sort: order,
    isFirstPage: after === undefined,
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
