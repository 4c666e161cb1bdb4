import { commentNumber } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import { lastContiguousId, mergeComments } from './loaded-comments.ts';
import { type ChannelState, type CommentWindow, lacksComments } from './state.ts';
import { hasPlace, includesPlace } from './window-places.ts';

/** Windows that a channel keeps besides the one that is shown. */
const maxOtherWindows = 3;

/** Shows the comments at a place if they were shown before. */
export function showPlace(channel: ChannelState, place: CommentRange): ChannelState {
  const { _id, otherWindows } = channel;
  if (hasPlace(channel, place)) return { ...channel, place };
  const found = otherWindows.find((window) => includesPlace(_id, window, place));
  if (!found) return channel;
  const others = otherWindows.filter((window) => window !== found);
  return { ...channel, ...found, place, otherWindows: [windowOf(channel), ...others] };
}

/** Joins a page just loaded with the comments that were shown before, unless some are missing between. */
export function joinLoaded(known: ChannelState, loaded: ChannelState): ChannelState {
  if (lacksComments(known)) return loaded;
  const windows = [windowOf(known), ...known.otherWindows].filter(
    (window) => !window.isStale || !touches(window, loaded),
  );
  const joined = windows.find((window) => touches(window, loaded));
  const otherWindows = windows.filter((window) => window !== joined).slice(0, maxOtherWindows);
  if (!joined) return { ...loaded, otherWindows };
  return { ...joinWindows({ ...known, ...joined }, loaded), otherWindows };
}

/** Marks all comments of a channel as outdated, the shown ones and the others. */
export function markStale(channel: ChannelState): ChannelState {
  const otherWindows = channel.otherWindows.map((window) => ({ ...window, isStale: true }));
  return { ...channel, otherWindows, isStale: true };
}

/** The part of a channel that is one window. */
export function windowOf({
  comments,
  moreAfter,
  moreBefore,
  changeNumber,
  isStale,
}: CommentWindow): CommentWindow {
  return { comments, moreAfter, moreBefore, changeNumber, isStale };
}

/** Whether no comment is missing between two windows. */
function touches(a: CommentWindow, b: CommentWindow): boolean {
  const [firstA, lastA] = [a.comments[0], a.comments.at(-1)];
  const [firstB, lastB] = [b.comments[0], b.comments.at(-1)];
  if (!firstA || !lastA || !firstB || !lastB) return false;
  return firstA.number <= lastB.number + 1 && firstB.number <= lastA.number + 1;
}

/** What was loaded last is right about its comments, those that it lacks included. */
function joinWindows(known: ChannelState, loaded: ChannelState): ChannelState {
  const { _id, moreBefore, moreAfter } = loaded;
  const first = loaded.comments[0]?.number ?? 0;
  const last = loaded.comments.at(-1)?.number ?? 0;
  const earlier = moreBefore === null ? [] : known.comments.filter(({ number }) => number < first);
  const later = known.comments.filter(({ number }) => number > last);
  const isKnownLonger =
    moreAfter !== null && (commentNumber(_id, lastContiguousId(known)) ?? 0) > last;
  return {
    ...loaded,
    comments: mergeComments(_id, [...earlier, ...later], loaded.comments),
    // Comments that were loaded earlier lack the changes since.
    changeNumber: Math.min(known.changeNumber, loaded.changeNumber),
    moreBefore: earlier.length > 0 ? known.moreBefore : moreBefore,
    moreAfter: isKnownLonger ? known.moreAfter : moreAfter,
  };
}
