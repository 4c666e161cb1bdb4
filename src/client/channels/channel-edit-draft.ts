import type { Channel, ChannelEdit } from '../../shared/channels.ts';
import { localStore } from '../storage/browser-storage.ts';
import { isText, readStored } from '../storage/stored-value.ts';

/** Changes of a channel that are not saved yet. */
export interface ChannelChanges {
  name: string;
  description: string;
  coverAlt: string;
  /** The name of the file chosen as the new cover, or ''. */
  newCover: string;
  /** Of the channel that was changed. */
  revision: number;
}

/** The unsaved changes of a channel by its author, in local storage until they are saved or discarded. */
export function channelEditDraft(userId: string, { _id, ...channel }: Channel) {
  const key = `channel-edit ${userId} ${_id}`;
  const { name, description, coverAlt, revision } = channel;
  const stored = { name, description, coverAlt, newCover: '', revision };
  return {
    read: (): ChannelChanges =>
      readStored(key, (fields) => {
        const { name, description, coverAlt, revision } = fields;
        const isValid = isText(name) && isText(description) && isText(coverAlt);
        if (!isValid || !Number.isSafeInteger(revision)) return null;
        const newCover = isText(fields.newCover) ? fields.newCover : '';
        return { name, description, coverAlt, newCover, revision: Number(revision) };
      }) ?? stored,
    store: (changes: ChannelChanges) => localStore.set(key, JSON.stringify(changes)),
    discard: () => localStore.remove(key),
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
