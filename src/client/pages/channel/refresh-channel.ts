import { commentId } from '../../../shared/comment-id.ts';
import type { Newer } from '../../conversation/live/use-live-comments.ts';
import { findScrollPosition } from '../../conversation/reading/scroll-position.ts';
import { keepReading } from '../../dom/keep-reading.ts';
import { loadedNumbers } from '../../state/loaded-comments.ts';
import { lacksComments } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { fetchChannel } from './fetch-channel.ts';

/** Maximum number of comments to refetch. In a longer list, the ones around the reader are refetched. */
const maxFetched = 1000;
/** This many numbers after the last comment of the page are fetched with it. */
const maxNewer = 100;

/**
 * Refetches the comments on the page; in a very long list, only those around the reader. The requested ranges begin
 * at multiples of ten, so that readers share cached URLs.
 * @returns undefined when nothing is shown or the request was aborted @throws `Failure`
 */
export async function refreshChannel(
  id: string,
  { getState, dispatch }: Store,
  signal: AbortSignal,
): Promise<Newer | undefined> {
  const findShown = () => {
    const shown = getState().channels.get(id);
    return shown && !lacksComments(shown) ? shown : undefined;
  };
  for (;;) {
    const shown = findShown();
    if (!shown) return undefined;
    const numbers = loadedNumbers(shown);
    const [first, end] = numbers;
    const last = shown.moreAfter === null ? (shown.comments.at(-1)?.number ?? first - 1) : end;
    const reading = findScrollPosition(shown.comments)?.n ?? first;
    const latestStart = Math.min(last - maxFetched + 1, reading - maxFetched / 2);
    const from = Math.max(first, latestStart);
    const to = Math.min(last, from + maxFetched - 1);
    const hasNewest = to === last && shown.moreAfter === null;
    const range = { after: commentId(id, Math.floor((from - 1) / 10) * 10) };
    const wanted = { range, end: hasNewest ? to + maxNewer : to };
    const { channel, moreAfter } = await fetchChannel(id, wanted, signal);
    if (signal.aborted) return undefined;
    const now = findShown();
    // While the request was pending, more comments were loaded or something changed that the response may not include.
    const isSame =
      now?.removedCount === shown.removedCount &&
      now.revision === shown.revision &&
      String(loadedNumbers(now)) === String(numbers);
    if (!isSame) continue;
    const isEnd = to === last;
    keepReading(() =>
      dispatch({
        type: 'CHANNEL_REFRESHED',
        channel,
        from,
        to,
        isEnd,
        hasLater: moreAfter !== null,
      }),
    );
    return {
      comments: hasNewest ? channel.comments.filter(({ number }) => number > to) : [],
      isTooMuch: hasNewest && moreAfter !== null,
    };
  }
}
