import type { Channel, ChannelEdit, NewChannel } from '../../shared/channels.ts';
import { type Draft, orNull } from '../storage/drafts.ts';

export const textFields = ['name', 'description', 'coverAlt'] as const;
const noTexts = { name: '', description: '', coverAlt: '' };
const contentExample = {
  ...noTexts,
  /** Download URL of the cover, once it is uploaded. */
  cover: orNull(''),
  /** The request that creates the channel, while its outcome is unknown. */
  request: orNull({ key: '', body: { ...noTexts, cover: '' } as NewChannel }),
};
const noContent = { ...noTexts, cover: null, request: null };

export const newChannelDraft = (userId: string): Draft<typeof contentExample> => ({
  key: `channel-draft ${userId}`,
  example: contentExample,
  unchanged: noContent,
});

/** The unsaved changes of a channel: `newCover` is the name of the file chosen as its new cover, or ''. */
const changesExample = { ...noTexts, newCover: '', revision: 0 };
type ChannelChanges = typeof changesExample;

export function channelEditDraft(userId: string, channel: Channel): Draft<ChannelChanges> {
  const { _id, name, description, coverAlt, revision } = channel;
  const unchanged = { name, description, coverAlt, newCover: '', revision };
  return { key: `channel-edit ${userId} ${_id}`, example: changesExample, unchanged };
}

/** The parts that differ from the channel. */
export function changedParts(
  channel: Channel,
  changes: ChannelChanges,
  cover: string | null,
): ChannelEdit {
  const changed = textFields.filter((name) => changes[name] !== channel[name]);
  const texts = Object.fromEntries(changed.map((name) => [name, changes[name]]));
  return { ...texts, ...(cover && { cover }) };
}
