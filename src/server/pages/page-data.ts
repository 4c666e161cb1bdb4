import type { ChannelOrder } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import type { PageData } from '../../shared/page-data.ts';
import { listChannels, requireChannel } from '../channels/channel-queries.ts';
import { listComments } from '../comments/comment-pages.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';

/** One page of the home list in this order, after a cursor. @throws InvalidCursor */
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

/** A channel with one page of its comments. @throws ApiError `channel_not_found`; InvalidCursor */
export async function channelData(
  db: Database,
  id: string,
  after: string | undefined,
): Promise<PageData> {
  const channel = await requireChannel(db, id, 0);
  const comments = await listComments(db, id, {
    limit: limits.commentsPerPage,
    position: { after: after === undefined ? 0 : parseCommentCursor(id, after).number },
  });
  if (!comments) throw new ApiError('channel_not_found');
  const { data, next } = comments;
  return {
    page: 'channel',
    channel: { ...channel, comments: data },
    next,
    isFirstPage: after === undefined,
  };
}
