import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { Failure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { type CommentListing, listComments } from '../comments/comment-calls.ts';
import type { LoadedChannel } from '../state/actions.ts';
import { getChannel } from './channel-calls.ts';
import type { ScrollPosition } from './scroll-position.ts';

/** More comments are not fetched: of a longer range, those around the scroll position are. */
const maxFetched = 1000;

/** Fetches a channel with its comments from `first` to `last`, in pages of a hundred. */
export async function fetchRange(
  id: string,
  { first, last, number }: ScrollPosition,
  signal?: AbortSignal,
): Promise<LoadedChannel | Failure> {
  // Fetched before the comments, so that they contain all changes up to its `changeNumber`.
  const channel = await request(getChannel, { id, comments: 0 }, { signal });
  if (!channel.ok) return channel;
  const latestStart = Math.max(first, last - maxFetched + 1);
  const start = Math.min(latestStart, Math.max(first, number - maxFetched / 2));
  const end = Math.min(last, start + maxFetched - 1);
  const comments: Comment[] = [];
  let moreBefore: string | null = null;
  let moreAfter: string | null = commentId(id, start - 1);
  while (moreAfter !== null && (commentNumber(id, moreAfter) ?? end) < end) {
    const pageAfter: CommentListing = {
      channelId: id,
      range: { after: moreAfter },
      limit: limits.listItems,
    };
    const page = await request(listComments, pageAfter, { signal });
    if (!page.ok) return page;
    if (comments.length === 0) moreBefore = page.value.previous;
    comments.push(...page.value.data);
    moreAfter = page.value.next;
  }
  return {
    type: 'CHANNEL_LOADED',
    channel: { ...channel.value, comments },
    moreAfter,
    moreBefore,
    range: {},
  };
}
