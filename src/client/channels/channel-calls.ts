import { apiRoutes } from '../../shared/api-routes.ts';
import type {
  Channel,
  ChannelEdit,
  ChannelOrder,
  ChannelPage,
  NewChannel,
} from '../../shared/channels.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall } from '../api/call.ts';
import { type IdempotentRequest, idempotencyKey } from '../api/idempotent-request.ts';

interface ChannelListing {
  order: ChannelOrder;
  /** The `next` of the previous page in this order. */
  after: string | null;
  limit: number;
}

/** Channels without their comments. */
export const listChannels = defineCall<ChannelListing, ChannelPage>({
  path: ({ order, after, limit }) =>
    withQuery(apiRoutes.channels, {
      limit,
      comments: 0,
      after,
      sort: order === 'comments' ? null : order,
    }),
  has: 'data',
});

/** A channel with at most this many of its comments. */
export const getChannel = defineCall<{ id: string; comments: number }, Channel>({
  path: ({ id, comments }) => withQuery(apiRoutes.channel(id), { comments }),
  has: '_id',
});

export const createChannel = defineCall<IdempotentRequest<NewChannel>, Channel>({
  method: 'POST',
  path: () => apiRoutes.channels,
  headers: idempotencyKey,
  body: ({ body }) => body,
  has: '_id',
  needsSession: true,
  credentials: 'include',
});

interface EditOfChannel {
  id: string;
  revision: number;
  /** Only the parts that change. */
  edit: ChannelEdit;
}

export const editChannel = defineCall<EditOfChannel, Channel>({
  method: 'PATCH',
  path: ({ id }) => apiRoutes.channel(id),
  headers: ({ revision }) => ({ 'if-match': `"${revision}"` }),
  body: ({ edit }) => edit,
  has: '_id',
  needsSession: true,
});

export const deleteChannel = defineCall<string, undefined>({
  method: 'DELETE',
  path: apiRoutes.channel,
  needsSession: true,
});

const changeChannel = (path: (id: string) => string) =>
  defineCall<string, Channel>({ method: 'POST', path, has: '_id', needsSession: true });

export const restoreChannel = changeChannel(apiRoutes.restoreChannel);
export const closeChannel = changeChannel(apiRoutes.closeChannel);
export const reopenChannel = changeChannel(apiRoutes.reopenChannel);
