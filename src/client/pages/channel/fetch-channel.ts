import { commentId, parseCommentId } from '../../../shared/comment-id.ts';
import type { CommentRange } from '../../../shared/comment-range.ts';
import type { Comment, CommentPage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { request } from '../../api/request.ts';
import { getChannel } from '../../conversation/channel-calls.ts';
import { listComments } from '../../conversation/comment-calls.ts';
import { preloadCarried } from '../../conversation/load-carried.ts';
import type { LoadedChannel } from '../../state/actions.ts';
import { firstSpan, spanOf } from '../../state/state.ts';

/** Fetches a channel with the page of its comments that a range selects. @throws `Failure` */
export async function fetchChannel(
  id: string,
  range: CommentRange,
  signal?: AbortSignal,
): Promise<LoadedChannel> {
  const type = 'CHANNEL_LOADED';
  if (Object.keys(range).length === 0) {
    const channel = await request(getChannel, { id, comments: limits.commentsPerPage }, { signal });
    await preloadCarried(channel);
    return { type, channel, span: firstSpan(channel) };
  }
  // Fetched before the comments, so that they include every comment it counts.
  const channel = await request(getChannel, { id, comments: 0 }, { signal });
  const page = await request(listComments, { channelId: id, range }, { signal });
  const loaded = { ...channel, comments: page.data };
  await preloadCarried(loaded);
  return { type, channel: loaded, span: spanOf(page) };
}

/**
 * Fetches a channel with its comments after one number and up to another.
 * @returns also whether none follows @throws `Failure`
 */
export async function fetchNumbers(id: string, after: number, last: number, signal?: AbortSignal) {
  // Fetched before the comments, so that they include every comment it counts.
  const channel = await request(getChannel, { id, comments: 0 }, { signal });
  const fetched: Comment[] = [];
  let next: string | null = commentId(id, after);
  do {
    const listing = { channelId: id, range: { after: next }, limit: limits.listItems };
    const page: CommentPage = await request(listComments, listing, { signal });
    fetched.push(...page.data);
    next = page.next;
  } while (next !== null && (parseCommentId(next)?.number ?? last) < last);
  const comments = fetched.filter(({ number }) => number <= last);
  const isEnd = next === null && comments.length === fetched.length;
  return { channel: { ...channel, comments }, isEnd };
}
