import { flushSync } from 'react-dom';
import { commentId } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import { Failure, orFailure } from '../api/failures.ts';
import {
  noteReloaded,
  restoreScrollPosition,
  savedScrollPosition,
} from '../comments/scroll-position.ts';
import { keepReading } from '../components/keep-reading.ts';
import { hasNumbers, hasRange } from '../state/loaded-comments.ts';
import type { Store } from '../state/store.ts';
import { commentsAt, fetchChannel } from './fetch-channel.ts';

export type LoadStatus = 'loading' | 'ready' | 'failed';

interface RangeOptions {
  id: string;
  range: CommentRange;
  /** Whether the server has rendered the page with this range. */
  isServed: boolean;
  /** Whether the live stream keeps what is loaded of the channel up to date. */
  isFollowed: boolean;
  /** Whether the range is shown for the first time since the address changed. */
  isOpened: boolean;
  onStatus: (status: LoadStatus) => void;
  signal: AbortSignal;
}

/**
 * Loads a channel with the comments that a range selects, unless they are loaded and current. After Back, loads the
 * comments that the page had and restores the scroll position.
 */
export async function loadRange(
  { id, range, isServed, isFollowed, isOpened, onStatus, signal }: RangeOptions,
  { getState, dispatch }: Store,
): Promise<void> {
  if (signal.aborted) return;
  const channel = getState().channels.get(id);
  const saved = savedScrollPosition();
  noteReloaded(isServed ? saved : undefined);
  const isLoaded =
    channel !== undefined &&
    (saved ? hasNumbers(channel, saved.first, saved.last) : isServed || hasRange(channel, range));
  if (isLoaded && saved && isOpened && !isServed) {
    // After the browser, which scrolls as far as the page was scrolled with other comments above.
    requestAnimationFrame(() => {
      const comments = getState().channels.get(id)?.comments;
      if (comments && !signal.aborted) restoreScrollPosition(saved, comments);
    });
  }
  if (isLoaded && (isServed || isFollowed)) return onStatus('ready');
  onStatus('loading');
  // A list that is loaded needs only the page around the reader to be brought up to date.
  const page = saved ? { after: commentId(id, Math.max(0, saved.number - 10)) } : range;
  const wanted = saved && !isLoaded ? commentsAt(id, saved) : { range: page };
  const loaded = await orFailure(fetchChannel(id, wanted, signal));
  if (signal.aborted) return;
  if (!(loaded instanceof Failure)) {
    const show = () => dispatch({ ...loaded, range });
    if (isLoaded) keepReading(show);
    else flushSync(show);
    if (saved && !isLoaded) restoreScrollPosition(saved, loaded.channel.comments);
    return onStatus('ready');
  }
  if (loaded.status !== 404) return onStatus('failed');
  dispatch({ type: 'CHANNEL_MISSING', channelId: id });
  dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
}
