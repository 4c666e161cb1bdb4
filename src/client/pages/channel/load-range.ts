import { flushSync } from 'react-dom';
import { type CommentRange, firstOfTen } from '../../../shared/comment-range.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { restoreScrollPosition } from '../../conversation/reading/scroll-position.ts';
import type { ScrollPosition } from '../../dom/entry-state.ts';
import { keepReading } from '../../dom/keep-reading.ts';
import { hasNumbers, hasRange } from '../../state/loaded-comments.ts';
import type { Store } from '../../state/store.ts';
import { fetchChannel } from './fetch-channel.ts';

interface RangeOptions {
  id: string;
  /** The range of comments that the address requests. */
  range: CommentRange;
  /** The position saved in the history entry, which takes precedence over the range. */
  saved: ScrollPosition | undefined;
  /** Whether the live stream keeps the channel's loaded comments up to date. */
  isFollowed: boolean;
  signal: AbortSignal;
}

/**
 * Shows the comments of a history entry: around its saved position if it has one, otherwise the range in the
 * address. Comments already loaded are shown at once; they are refetched unless the live stream keeps them up to
 * date.
 * @throws `Failure`
 */
export async function loadRange(
  { id, range, saved, isFollowed, signal }: RangeOptions,
  { getState, dispatch }: Store,
): Promise<void> {
  const channel = getState().channels.get(id);
  const isLoaded =
    channel !== undefined && (saved ? hasNumbers(channel, saved.n) : hasRange(channel, range));
  if (isLoaded && saved) {
    // Runs after the browser has restored the scroll offset, which is wrong when other comments are loaded above.
    requestAnimationFrame(() => {
      const comments = getState().channels.get(id)?.comments;
      if (comments && !signal.aborted) restoreScrollPosition(saved, comments);
    });
  }
  if (isLoaded && isFollowed) return;
  const wanted = saved ? { around: firstOfTen(saved.n) } : range;
  const loaded = await orFailure(fetchChannel(id, { range: wanted }, signal));
  if (signal.aborted) return;
  if (loaded instanceof Failure) {
    if (loaded.status !== 404) throw loaded;
    dispatch({ type: 'CHANNEL_MISSING', channelId: id });
    return dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
  }
  const show = () => dispatch(loaded);
  if (isLoaded) return keepReading(show);
  flushSync(show);
  if (saved) restoreScrollPosition(saved, loaded.channel.comments);
}
