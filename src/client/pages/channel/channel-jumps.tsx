import { pageRoutes, searchUrl, withQuery } from '../../../shared/routes.ts';
import { endAnchor, unreadAnchor } from '../../conversation/list/comments-end.tsx';
import type { Unread } from '../../conversation/reading/use-unread.ts';
import { Link } from '../../router/navigation.tsx';
import { newestNumber } from '../../state/comment-span.ts';
import type { ChannelState } from '../../state/state.ts';

/** Minimum number of comments for a link to the newest one. */
export const leastComments = 10;

export const newestText = 'Ir a lo último';

const linkTo = (channelId: string, n: number, anchor: string) =>
  `${withQuery(pageRoutes.channel(channelId), { n })}#${anchor}`;

/** URL of the first comment after the given number, up to which the user has read. */
export const unreadLink = (channelId: string, read: number) =>
  linkTo(channelId, read + 1, unreadAnchor);

/** URL of the newest comments. */
export const newestLink = (channel: Pick<ChannelState, '_id' | 'commentCount' | 'removedCount'>) =>
  linkTo(channel._id, newestNumber(channel), endAnchor);

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
