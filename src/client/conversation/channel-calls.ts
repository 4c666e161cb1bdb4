import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel, ChannelOrder, ChannelPage } from '../../shared/channels.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall } from '../api/call.ts';

interface ChannelListing {
  order: ChannelOrder;
  /** The `next` of the previous page in this order. */
  after: string | null;
  limit: number;
}

/** Channels without their comments. */
export const listChannels = defineCall<ChannelListing, ChannelPage>(
  'GET',
  ({ order, after, limit }) =>
    withQuery(apiRoutes.channels, {
      limit,
      comments: 0,
      after,
      sort: order === 'comments' ? null : order,
    }),
);

/** A channel with at most this many comments. */
export const getChannel = defineCall<{ id: string; comments: number }, Channel>(
  'GET',
  ({ id, comments }) => withQuery(apiRoutes.channel(id), { comments }),
);
