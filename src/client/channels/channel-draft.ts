import type { Channel, NewChannel } from '../../shared/channels.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import type { Draft } from '../storage/drafts.ts';

export const textFields = ['name', 'description', 'coverAlt'] as const;
const emptyContent = {
  name: '',
  description: '',
  coverAlt: '',
  /** Download URL of the cover, once it is uploaded. */
  cover: null as string | null,
  /** The request that creates the channel, while its outcome is unknown. */
  request: null as IdempotentRequest<NewChannel> | null,
};

export const newChannelDraft = (userId: string): Draft<typeof emptyContent> => ({
  key: `channel-draft ${userId}`,
  unchanged: emptyContent,
});

/** A channel whose author changes it. */
export type EditedChannel = Pick<
  Channel,
  '_id' | 'name' | 'description' | 'coverAlt' | 'revision'
> & {
  /** Null for one that is not published. */
  createdAt: string | null;
};

export const heldChannelEditPrefix = (userId: string) => `held-channel-edit ${userId} `;

/** The unsaved changes of a channel's texts. A chosen cover is stored as a file. */
export function channelEditDraft(userId: string, channel: EditedChannel) {
  const { _id, name, description, coverAlt, revision, createdAt } = channel;
  const unchanged = { name, description, coverAlt, revision };
  const prefix = createdAt === null ? heldChannelEditPrefix(userId) : `channel-edit ${userId} `;
  return { key: prefix + _id, unchanged };
}
