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

/** The unsaved changes of a channel: `newCover` is the name of the file chosen as its new cover, or ''. */
export function channelEditDraft(userId: string, channel: Channel) {
  const { _id, name, description, coverAlt, revision } = channel;
  const unchanged = { name, description, coverAlt, newCover: '', revision };
  return { key: `channel-edit ${userId} ${_id}`, unchanged };
}
