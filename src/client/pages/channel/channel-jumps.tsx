import { searchUrl } from '../../../shared/routes.ts';
import type { Unread } from '../../conversation/reading/use-unread.ts';
import { Link } from '../../router/navigation.tsx';
import type { ChannelState } from '../../state/state.ts';
import { newestLink, unreadLink } from './channel-links.ts';

/** Minimum number of comments for a link to the newest one. */
export const leastComments = 10;

export const newestText = 'Ir a lo último';

interface ChannelJumpsProps {
  channel: ChannelState;
  unread: Unread | null;
}

/** Links to the first unread comment, to the newest one and to the search in the channel. */
export function ChannelJumps({ channel, unread }: ChannelJumpsProps) {
  const { _id, commentCount } = channel;
  return (
    <>
      {unread && <Link href={unreadLink(_id, unread.after)}>Ir a lo nuevo</Link>}
      {commentCount >= leastComments && <Link href={newestLink(channel)}>{newestText}</Link>}
      <Link href={searchUrl({ channel: _id })}>Buscar en este canal</Link>
    </>
  );
}
