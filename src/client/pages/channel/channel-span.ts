import { flushSync } from 'react-dom';
import { commentId } from '../../../shared/comment-id.ts';
import { type CommentRange, firstOfTen } from '../../../shared/comment-range.ts';
import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { listComments } from '../../conversation/comment-calls.ts';
import type { Newer } from '../../conversation/live/use-live-comments.ts';
import { numbersInUse, restoreScrollPosition } from '../../conversation/reading/scroll-position.ts';
import { keepInPlace } from '../../dom/keep-in-place.ts';
import { keepReading } from '../../dom/keep-reading.ts';
import type { ScrollPosition } from '../../router/entry-state.ts';
import type { Action } from '../../state/actions.ts';
import { hasNumbers, hasRange, lastLoaded, newestNumber } from '../../state/comment-span.ts';
import { lacksComments } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { fetchChannel, fetchNumbers } from './fetch-channel.ts';

interface Opened {
  id: string;
  /** The range of comments that the address requests. */
  range: CommentRange;
  /** The position saved in the history entry, which takes precedence over the range. */
  saved: ScrollPosition | undefined;
  /** Whether the comments are fetched even if they are loaded. */
  isForced: boolean;
  signal: AbortSignal;
}

/**
 * Shows the comments of a history entry: around its saved position if it has one, otherwise the range in the
 * address. Loaded ones are shown as they are: they are fetched again once the live stream has opened.
 * @throws `Failure`
 */
export async function openSpan(
  { id, range, saved, isForced, signal }: Opened,
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
  if (isLoaded && !isForced) return;
  const loaded = await orFailure(
    fetchChannel(id, saved ? { around: firstOfTen(saved.n) } : range, signal),
  );
  if (signal.aborted) return;
  if (loaded instanceof Failure) {
    if (loaded.status !== 404) throw loaded;
    dispatch({ type: 'CHANNEL_MISSING', channelId: id });
    return dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
  }
  if (isLoaded) return keepReading(() => dispatch(loaded));
  flushSync(() => dispatch(loaded));
  if (saved) restoreScrollPosition(saved, loaded.channel.comments);
}

/** This many numbers after the last comment of the page are fetched with it. */
const mostNewer = 100;

/**
 * Fetches the comments of the span again.
 * @returns newer comments; undefined when nothing is shown or the request was aborted @throws `Failure`
 */
export async function refetchSpan(
  id: string,
  { getState, dispatch }: Store,
  signal: AbortSignal,
): Promise<Newer | undefined> {
  const shown = getState().channels.get(id);
  if (!shown || lacksComments(shown)) return undefined;
  const to = lastLoaded(shown);
  const isOpen = shown.span.last === null;
  const most = isOpen ? to + mostNewer : to;
  // Begins at a multiple of ten, so that readers share cached URLs.
  const before = Math.floor((shown.span.first - 1) / 10) * 10;
  const { channel, isEnd } = await fetchNumbers(id, before, most, signal);
  if (signal.aborted) return undefined;
  keepReading(() =>
    dispatch({
      type: 'CHANNEL_REFETCHED',
      channel,
      from: before + 1,
      to,
      end: isEnd ? Math.max(to, newestNumber(channel)) : most,
      isEnd,
    }),
  );
  return {
    comments: isOpen ? channel.comments.filter(({ number }) => number > to) : [],
    isTooMuch: isOpen && !isEnd,
  };
}

/** Adds a page of comments while one comment keeps its place, then drops the ones farthest from the reader. */
function addPage(id: string, kept: number, added: Action, { getState, dispatch }: Store): void {
  const inUse = numbersInUse(getState().channels.get(id)?.comments ?? []);
  keepInPlace([document.getElementById(commentAnchor(kept))], () => {
    dispatch(added);
    dispatch({ type: 'SPAN_NARROWED', channelId: id, inUse });
  });
}

/** Appends the page after the span. @returns its first comment; @throws `Failure` */
export async function loadLater(id: string, store: Store): Promise<Comment | undefined> {
  const channel = store.getState().channels.get(id);
  if (!channel) return undefined;
  const after = lastLoaded(channel);
  const newest = newestNumber(channel);
  const range = { after: commentId(id, after) };
  const page = await request(listComments, { channelId: id, range });
  const last = channel.comments.at(-1)?.number ?? 0;
  addPage(id, last, { type: 'LATER_LISTED', channelId: id, after, newest, ...page }, store);
  return page.data[0];
}

/** Prepends the page before the span. @returns its last comment; @throws `Failure` */
export async function loadEarlier(id: string, store: Store): Promise<Comment | undefined> {
  const channel = store.getState().channels.get(id);
  if (!channel) return undefined;
  const before = channel.span.first;
  const page = await request(listComments, {
    channelId: id,
    range: { before: commentId(id, before) },
  });
  const first = store.getState().channels.get(id)?.comments[0]?.number ?? 0;
  addPage(id, first, { type: 'EARLIER_LISTED', channelId: id, before, ...page }, store);
  return page.data.at(-1);
}
