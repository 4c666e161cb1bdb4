import type { Channel, ChannelEdit, NewChannel } from '../../shared/channels.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import type { Draft } from '../storage/drafts.ts';
import { isLike, likeOrNull } from '../storage/stored-value.ts';

interface ChannelTexts {
  name: string;
  description: string;
  coverAlt: string;
}

interface NewChannelContent extends ChannelTexts {
  /** Download URL of the cover, once it is uploaded. */
  cover: string | null;
  /** The request that creates the channel, while its outcome is unknown. */
  request: IdempotentRequest<NewChannel> | null;
}

const noTexts: ChannelTexts = { name: '', description: '', coverAlt: '' };
const noContent: NewChannelContent = { ...noTexts, cover: null, request: null };
const requestExample = { key: '', body: { ...noTexts, cover: '' } as NewChannel };

export const newChannelDraft = (userId: string): Draft<NewChannelContent> => ({
  key: `channel-draft ${userId}`,
  unchanged: noContent,
  parse(fields) {
    const content = {
      ...noContent,
      ...fields,
      cover: likeOrNull('', fields.cover),
      request: likeOrNull(requestExample, fields.request),
    };
    return isLike(noTexts, content) ? content : null;
  },
});

/** The IndexedDB keys of the uploaded cover and of the file that is being uploaded to replace it. */
export const coverFiles = (userId: string) => ({
  cover: `${userId} cover`,
  upload: `${userId} upload`,
});

/** Changes of a channel that are not saved yet. */
interface ChannelChanges extends ChannelTexts {
  /** The name of the file chosen as the new cover, or ''. */
  newCover: string;
  /** The revision of the channel that was changed. */
  revision: number;
}

export function channelEditDraft(userId: string, channel: Channel): Draft<ChannelChanges> {
  const { _id, name, description, coverAlt, revision } = channel;
  const unchanged = { name, description, coverAlt, newCover: '', revision };
  return {
    key: `channel-edit ${userId} ${_id}`,
    unchanged,
    parse(fields) {
      const changes = { newCover: '', ...fields };
      return isLike(unchanged, changes) ? changes : null;
    },
  };
}

/** The parts that differ from the channel. */
export function changedParts(
  channel: Channel,
  changes: ChannelChanges,
  cover: string | null,
): ChannelEdit {
  const { name, description, coverAlt } = changes;
  return {
    ...(name !== channel.name && { name }),
    ...(description !== channel.description && { description }),
    ...(coverAlt !== channel.coverAlt && { coverAlt }),
    ...(cover && { cover }),
  };
}
