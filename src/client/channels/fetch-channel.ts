import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { CommentPlace } from '../../shared/comment-place.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { api, type Failure } from '../api/api.ts';
import type { LoadedChannel } from '../state/actions.ts';
import { type ChannelState, lacksComments, moreAfterOf } from '../state/state.ts';
import type { Store } from '../state/store.ts';

/** A channel with the page of its comments at a place. */
export async function fetchChannel(
  id: string,
  place: CommentPlace,
  signal?: AbortSignal,
): Promise<LoadedChannel | Failure> {
  const type = 'CHANNEL_LOADED';
  if (Object.keys(place).length === 0) {
    const channel = await api.getChannel(id, limits.commentsPerPage, signal);
    if (!channel.ok) return channel;
    const moreAfter = moreAfterOf(channel.value);
    return { type, channel: channel.value, moreAfter, moreBefore: null, place };
  }
  const [channel, page] = await Promise.all([
    api.getChannel(id, 0, signal),
    api.listComments(id, place, signal),
  ]);
  if (!channel.ok) return channel;
  if (!page.ok) return page;
  const { data, next, previous } = page.value;
  return {
    type,
    channel: { ...channel.value, comments: data },
    moreAfter: next,
    moreBefore: previous,
    place,
  };
}

/**
 * All comments of the window that a channel shows, as they now are: to replace those whose changes were
 * missed without losing the reader's place.
 */
export async function refetchWindow(
  { _id, comments, moreBefore, place }: ChannelState,
  signal?: AbortSignal,
): Promise<LoadedChannel | Failure> {
  // Before the comments, so that they contain all changes up to its `changeNumber`.
  const channel = await api.getChannel(_id, 0, signal);
  if (!channel.ok) return channel;
  const first = moreBefore === null ? 1 : (comments[0]?.number ?? 1);
  const last = comments.at(-1)?.number ?? 0;
  const data: Comment[] = [];
  let previous: string | null = null;
  let next: string | null = commentId(_id, first - 1);
  while (next !== null && (commentNumber(_id, next) ?? last) < last) {
    const page = await api.listComments(_id, { after: next }, signal);
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
