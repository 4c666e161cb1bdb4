import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { keepInPlace } from '../../dom/keep-in-place.ts';
import { lastLoadedId, newestNumber } from '../../state/loaded-comments.ts';
import type { Store } from '../../state/store.ts';
import { listComments } from '../comment-calls.ts';

/** Appends the page after a cursor. @returns its first comment; @throws `Failure` */
export async function loadLater(
  id: string,
  after: string,
  { getState, dispatch }: Store,
): Promise<Comment | undefined> {
  const channel = getState().channels.get(id);
  const newest = channel ? newestNumber(channel) : 0;
  const page = await request(listComments, { channelId: id, range: { after } });
  dispatch({ type: 'COMMENTS_LISTED', channelId: id, after, newest, ...page });
  return page.data[0];
}

/** Prepends the page before a cursor. @returns its last comment; @throws `Failure` */
export async function loadEarlier(
  id: string,
  before: string,
  { getState, dispatch }: Store,
): Promise<Comment | undefined> {
  const page = await request(listComments, { channelId: id, range: { before } });
  const first = getState().channels.get(id)?.comments[0]?.number ?? 0;
  keepInPlace([document.getElementById(commentAnchor(first))], () =>
    dispatch({ type: 'EARLIER_LISTED', channelId: id, before, ...page }),
  );
  return page.data.at(-1);
}

/**
 * Loads comments by others between the newest one shown and the user's own new comment. If there are too many, or
 * they cannot be loaded, the new comment is loaded later with them.
 */
export async function loadUpTo(
  { channelId, number }: Comment,
  { getState, dispatch }: Store,
): Promise<void> {
  /** The cursor after which comments are missing, or a falsy value. */
  const missingAfter = () => {
    const channel = getState().channels.get(channelId);
    const newest = channel?.comments.at(-1)?.number ?? 0;
    return channel?.moreAfter === null && newest < number - 1 && lastLoadedId(channel);
  };
  const after = missingAfter();
  if (!after) return;
  const page = await orFailure(request(listComments, { channelId, range: { after } }));
  const isLoaded = !(page instanceof Failure);
  if (isLoaded) dispatch({ type: 'COMMENTS_ADDED', channelId, comments: page.data });
  // Comments after the last one shown may have been removed.
  const hasReached = isLoaded && page.next === null;
  if (!hasReached && missingAfter()) dispatch({ type: 'COMMENTS_MISSED', channelId });
}
