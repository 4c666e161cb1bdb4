import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment } from '../../shared/comments.ts';
import type { Failure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { listComments } from '../comments/comment-calls.ts';
import type { LoadedChannel } from '../state/actions.ts';
import type { ChannelState } from '../state/state.ts';
import { getChannel } from './channel-calls.ts';

/**
 * All comments of the window that a channel shows, as they now are: to replace those whose changes were
 * missed without losing the reader's place.
 */
export async function refetchWindow(
  { _id, comments, moreBefore, place }: ChannelState,
  signal?: AbortSignal,
): Promise<LoadedChannel | Failure> {
  // Before the comments, so that they contain all changes up to its `changeNumber`.
  const channel = await request(getChannel, { id: _id, comments: 0 }, { signal });
  if (!channel.ok) return channel;
  const first = moreBefore === null ? 1 : (comments[0]?.number ?? 1);
  const last = comments.at(-1)?.number ?? 0;
  const data: Comment[] = [];
  let previous: string | null = null;
  let next: string | null = commentId(_id, first - 1);
  while (next !== null && (commentNumber(_id, next) ?? last) < last) {
    const place: CommentRange = { after: next };
    const page = await request(listComments, { channelId: _id, place }, { signal });
    if (!page.ok) return page;
    if (data.length === 0) previous = page.value.previous;
    data.push(...page.value.data);
    next = page.value.next;
  }
  return {
    type: 'CHANNEL_LOADED',
    channel: { ...channel.value, comments: data },
    moreAfter: next,
    moreBefore: previous,
    place,
  };
}
