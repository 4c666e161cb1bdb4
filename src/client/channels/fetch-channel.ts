import type { CommentRange } from '../../shared/comment-range.ts';
import { limits } from '../../shared/limits.ts';
import type { Failure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { listComments } from '../comments/comment-calls.ts';
import type { LoadedChannel } from '../state/actions.ts';
import { lacksComments, moreAfterOf } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { getChannel } from './channel-calls.ts';

/** Fetches a channel with the page of its comments that a range selects. */
export async function fetchChannel(
  id: string,
  range: CommentRange,
  signal?: AbortSignal,
): Promise<LoadedChannel | Failure> {
  const type = 'CHANNEL_LOADED';
  if (Object.keys(range).length === 0) {
    const channel = await request(getChannel, { id, comments: limits.commentsPerPage }, { signal });
    if (!channel.ok) return channel;
    const moreAfter = moreAfterOf(channel.value);
    return { type, channel: channel.value, moreAfter, moreBefore: null, range };
  }
  // Fetched before the comments, so that they contain all changes up to its `changeNumber`.
  const channel = await request(getChannel, { id, comments: 0 }, { signal });
  if (!channel.ok) return channel;
  const page = await request(listComments, { channelId: id, range }, { signal });
  if (!page.ok) return page;
  const { data, next, previous } = page.value;
  return {
    type,
    channel: { ...channel.value, comments: data },
    moreAfter: next,
    moreBefore: previous,
    range,
  };
}

const prefetching = new Set<string>();

/** Loads the first comments of a listed channel, so that its page shows them when it is opened. */
export async function prefetchChannel(id: string, { getState, dispatch }: Store): Promise<void> {
  const isNeeded = () => {
    const known = getState().channels.get(id);
    return known && lacksComments(known);
  };
  if (!isNeeded() || prefetching.has(id)) return;
  prefetching.add(id);
  const result = await fetchChannel(id, {});
  prefetching.delete(id);
  // The page may have been opened meanwhile, at later comments.
  if ('type' in result && isNeeded()) dispatch(result);
}
