import { apiRoutes } from '../../shared/api-routes.ts';
import type {
  Channel,
  ChannelEdit,
  ChannelOrder,
  ChannelPage,
  NewChannel,
} from '../../shared/channels.ts';
import type { Held } from '../../shared/held.ts';
import type { Level } from '../../shared/notices.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall, defineUserCall } from '../api/call.ts';
import { type IdempotentRequest, idempotencyKey } from '../api/idempotent-request.ts';

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

/** A channel with at most this many of its comments. */
export const getChannel = defineCall<{ id: string; comments: number }, Channel>(
  'GET',
  ({ id, comments }) => withQuery(apiRoutes.channel(id), { comments }),
);

export const createChannel = defineUserCall<IdempotentRequest<NewChannel>, Channel | Held>(
  'POST',
  apiRoutes.channels,
  { headers: idempotencyKey, body: ({ body }) => body, credentials: 'include' },
);

interface EditOfChannel {
  id: string;
  revision: number;
  /** Only the parts that change. */
  edit: ChannelEdit;
}

export const editChannel = defineUserCall<EditOfChannel, Channel>(
  'PATCH',
  ({ id }) => apiRoutes.channel(id),
  {
    headers: ({ revision }) => ({ 'if-match': `"${revision}"` }),
    body: ({ edit }) => edit,
  },
);

export const pinChannel = defineUserCall<{ id: string; pinned: boolean }, Channel>(
  'PATCH',
  ({ id }) => apiRoutes.channel(id),
  { body: ({ pinned }) => ({ pinned }) },
);

export const deleteChannel = defineUserCall<string, undefined>('DELETE', apiRoutes.channel);

const changeChannel = (path: (id: string) => string) =>
  defineUserCall<string, Channel>('POST', path);

export const restoreChannel = changeChannel(apiRoutes.restoreChannel);
export const closeChannel = changeChannel(apiRoutes.closeChannel);
export const reopenChannel = changeChannel(apiRoutes.reopenChannel);

export const setLevel = defineUserCall<{ channelId: string; level: Level }, undefined>(
  'PUT',
  ({ channelId }) => apiRoutes.level(channelId),
  { body: ({ level }) => ({ level }) },
);
