import { useState } from 'react';
import { commentLink } from '../../shared/routes.ts';
import { endAnchor } from '../comments/comments-end.tsx';
import { Link } from '../router/navigation.tsx';
import type { ChannelState } from '../state/state.ts';
import { useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { useViewPlace } from './use-view-place.ts';

interface FreshLinkProps {
  channel: ChannelState;
  className: string | undefined;
}

/** A link to the comments of others that have arrived since the end of the comments was last in view. */
export function FreshLink({ channel, className }: FreshLinkProps) {
  const { _id, comments, commentCount, removedCount, moreAfter, unloaded } = channel;
  const { id: userId } = useUser();
  const isAtEnd = useViewPlace(`#${endAnchor}`) !== 'below';
  const last = commentCount + removedCount;
  const [seen, setSeen] = useState(last);
  if (isAtEnd && seen !== last) setSeen(last);

  const fresh = comments.filter(({ number, autorId }) => number > seen && autorId !== userId);
  const known = Math.max(seen, comments.at(-1)?.number ?? 0);
  // Own comments and removed ones are not new.
  const uncounted = new Set(
    [...(unloaded ?? [])].flatMap(([number, autorId]) =>
      number > known && (autorId === userId || autorId === null) ? number : [],
    ),
  );
  const unloadedCount = moreAfter === null ? 0 : Math.max(0, last - known - uncounted.size);
  const count = fresh.length + unloadedCount;
  if (count === 0) return null;
  let firstUnloaded = known + 1;
  while (uncounted.has(firstUnloaded)) firstUnloaded += 1;
  return (
    <Link className={className} href={commentLink(_id, fresh[0]?.number ?? firstUnloaded)}>
      {texts.unread(count)}
    </Link>
  );
}
