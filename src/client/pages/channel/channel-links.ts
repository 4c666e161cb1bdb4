import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { endAnchor, unreadAnchor } from '../../conversation/list/anchors.ts';
import { newestNumber } from '../../state/comment-span.ts';
import type { ChannelState } from '../../state/state.ts';

const linkTo = (channelId: string, n: number, anchor: string) =>
  `${withQuery(pageRoutes.channel(channelId), { n })}#${anchor}`;

/** URL of the first comment after the given number, up to which the user has read. */
export const unreadLink = (channelId: string, read: number) =>
  linkTo(channelId, read + 1, unreadAnchor);

/** URL of the newest comments. */
export const newestLink = (channel: Pick<ChannelState, '_id' | 'commentCount' | 'removedCount'>) =>
  linkTo(channel._id, newestNumber(channel), endAnchor);
