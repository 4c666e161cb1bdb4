import { pageRoutes, searchUrl, withQuery } from '../../../shared/routes.ts';
import { endAnchor, unreadAnchor } from '../../conversation/list/comments-end.tsx';
import type { Unread } from '../../conversation/reading/use-unread.ts';
import { Link } from '../../dom/navigation.tsx';
import type { ChannelState } from '../../state/state.ts';

/** Minimum number of comments for a link to the newest one. */
const leastComments = 10;

const linkTo = (channelId: string, n: number, anchor: string) =>
  `${withQuery(pageRoutes.channel(channelId), { n })}#${anchor}`;

/** URL of the first comment after the given number, up to which the user has read. */
export const unreadLink = (channelId: string, read: number) =>
  linkTo(channelId, read + 1, unreadAnchor);

interface ChannelJumpsProps {
  channel: ChannelState;
  unread: Unread | null;
}

/** Links to the first unread comment, to the newest one and to the search in the channel. */
export function ChannelJumps({ channel, unread }: ChannelJumpsProps) {
  const { _id, commentCount, removedCount } = channel;
  return (
    <>
      {unread && <Link href={unreadLink(_id, unread.after)}>Ir a lo nuevo</Link>}
      {commentCount >= leastComments && (
        <Link href={linkTo(_id, commentCount + removedCount, endAnchor)}>Ir a lo último</Link>
      )}
      <Link href={searchUrl({ channel: _id })} aria-keyshortcuts="/">
        Buscar en este canal
      </Link>
    </>
  );
}
