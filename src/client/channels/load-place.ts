import type { CommentRange } from '../../shared/comment-range.ts';
import { keepReading } from '../components/keep-reading.ts';
import type { Store } from '../state/store.ts';
import { hasPlace } from '../state/window-places.ts';
import { fetchChannel } from './fetch-channel.ts';
import { refetchWindow } from './refetch-window.ts';

export type LoadStatus = 'loading' | 'ready' | 'failed';

interface PlaceOptions {
  id: string;
  place: CommentRange;
  /** Whether the live stream keeps what is loaded of the channel up to date. */
  isFollowed: boolean;
  onStatus: (status: LoadStatus) => void;
  signal: AbortSignal;
}

/** Loads a channel with the page of its comments at a place, unless they are loaded and current. */
export async function loadPlace(
  { id, place, isFollowed, onStatus, signal }: PlaceOptions,
  { getState, dispatch }: Store,
): Promise<void> {
  if (signal.aborted) return;
  const channel = getState().channels.get(id);
  const isStale = channel?.isStale && channel.place === place && channel.comments.length > 0;
  if (!isStale && isFollowed && channel && hasPlace(channel, place)) return onStatus('ready');
  onStatus('loading');
  const fetching = isStale ? refetchWindow(channel, signal) : fetchChannel(id, place, signal);
  const result = await fetching;
  if (signal.aborted) return;
  if ('type' in result) {
    if (isStale) keepReading(() => dispatch(result));
    else dispatch(result);
    return onStatus('ready');
  }
  if (result.problem?.status === 404) return dispatch({ type: 'CHANNEL_MISSING', channelId: id });
  onStatus('failed');
}
