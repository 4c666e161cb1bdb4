import type { Channel, ChannelEdit, NewChannel } from '../../shared/channels.ts';
import type { Draft } from '../storage/drafts.ts';
import { orNull } from '../storage/stored-value.ts';

const noTexts = { name: '', description: '', coverAlt: '' };
const noContent = { ...noTexts, cover: null, request: null };
const contentExample = {
  ...noTexts,
  /** Download URL of the cover, once it is uploaded. */
  cover: orNull(''),
  /** The request that creates the channel, while its outcome is unknown. */
  request: orNull({ key: '', body: { ...noTexts, cover: '' } as NewChannel }),
};

export const newChannelDraft = (userId: string): Draft<typeof contentExample> => ({
  key: `channel-draft ${userId}`,
  example: contentExample,
  defaults: noContent,
  unchanged: noContent,
});

/** The IndexedDB keys of the uploaded cover and of the file that is being uploaded to replace it. */
export const coverFiles = (userId: string) => ({
  cover: `${userId} cover`,
  upload: `${userId} upload`,
});

/** Changes of a channel that are not saved yet. */
interface ChannelChanges {
  name: string;
  description: string;
  coverAlt: string;
  /** The name of the file chosen as the new cover, or ''. */
  newCover: string;
  /** The revision of the channel that was changed. */
  revision: number;
}

export function channelEditDraft(userId: string, channel: Channel): Draft<ChannelChanges> {
  const { _id, name, description, coverAlt, revision } = channel;
  const unchanged = { name, description, coverAlt, newCover: '', revision };
  const defaults = { newCover: '' };
  return { key: `channel-edit ${userId} ${_id}`, example: unchanged, defaults, unchanged };
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
