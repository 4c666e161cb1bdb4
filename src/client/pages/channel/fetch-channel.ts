import { commentId, parseCommentId } from '../../../shared/comment-id.ts';
import type { CommentRange } from '../../../shared/comment-range.ts';
import type { Comment, CommentPage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { request } from '../../api/request.ts';
import { getChannel } from '../../conversation/channel-calls.ts';
import { listComments } from '../../conversation/comment-calls.ts';
import type { LoadedChannel } from '../../state/actions.ts';
import { moreAfterOf } from '../../state/state.ts';

interface Wanted {
  range: CommentRange;
  /** Fetches comments after the range as well, up to this number, in pages of a hundred. Later ones are dropped. */
  end?: number;
}

/** Fetches a channel with the page of its comments that a range selects. @throws `Failure` */
export async function fetchChannel(
  id: string,
  { range, end = 0 }: Wanted,
  signal?: AbortSignal,
): Promise<LoadedChannel> {
  const type = 'CHANNEL_LOADED';
  if (Object.keys(range).length === 0) {
    const channel = await request(getChannel, { id, comments: limits.commentsPerPage }, { signal });
    return { type, channel, moreAfter: moreAfterOf(channel), moreBefore: null };
  }
  // Fetched before the comments, so that they include every comment it counts.
  const channel = await request(getChannel, { id, comments: 0 }, { signal });
  const limit = end ? limits.listItems : limits.commentsPerPage;
  const comments: Comment[] = [];
  let moreBefore: string | null = null;
  let moreAfter: string | null = null;
  do {
    const listed: CommentRange = moreAfter === null ? range : { after: moreAfter };
    const page: CommentPage = await request(
      listComments,
      { channelId: id, range: listed, limit },
      { signal },
    );
    if (moreAfter === null) moreBefore = page.previous;
    comments.push(...page.data);
    moreAfter = page.next;
  } while (moreAfter !== null && (parseCommentId(moreAfter)?.number ?? end) < end);
  const wanted = end ? comments.filter(({ number }) => number <= end) : comments;
  if (wanted.length < comments.length) moreAfter = commentId(id, end);
  return { type, channel: { ...channel, comments: wanted }, moreAfter, moreBefore };
}
