import { limits } from '../../shared/limits.ts';
import type { PageData } from '../../shared/page-data.ts';
import { listChannels, requireChannel } from '../channels/channel-queries.ts';
import { listComments } from '../comments/comment-queries.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';

/** One page of the home list, after a cursor. @throws InvalidCursor */
export async function homeData(db: Database, after: string | undefined): Promise<PageData> {
  const { data, next } = await listChannels(db, {
    limit: limits.channelsPerPage,
    embed: 0,
    after,
  });
  return { page: 'home', channels: data, next, isFirstPage: after === undefined };
}

/** A channel with one page of its comments. @throws ApiError `channel_not_found`; InvalidCursor */
export async function channelData(
  db: Database,
  id: string,
  after: string | undefined,
): Promise<PageData> {
  const channel = await requireChannel(db, id, 0);
  const { data, next } = await listComments(db, id, {
    limit: limits.commentsPerPage,
    afterNumber: after === undefined ? 0 : parseCommentCursor(id, after).number,
  });
  return {
    page: 'channel',
    channel: { ...channel, comments: data },
    next,
    isFirstPage: after === undefined,
  };
}
