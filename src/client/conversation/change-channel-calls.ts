import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel, ChannelEdit, NewChannel } from '../../shared/channels.ts';
import type { Level } from '../../shared/notifications.ts';
import type { PendingPost } from '../../shared/pending.ts';
import { defineUserCall } from '../api/call.ts';
import { type IdempotentRequest, idempotencyKey } from '../api/idempotent-request.ts';

export const createChannel = defineUserCall<IdempotentRequest<NewChannel>, Channel | PendingPost>(
  'POST',
  apiRoutes.channels,
  { headers: idempotencyKey, body: ({ body }) => body, credentials: 'include' },
);

interface EditOfChannel {
  id: string;
  revision: number;
  /** Only the changed properties. */
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
