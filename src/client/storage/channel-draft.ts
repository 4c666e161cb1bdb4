import type { Channel, NewChannel } from '../../shared/channels.ts';
import type { PendingPost } from '../../shared/pending.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import { changeDraft, type Draft, readDraft } from './drafts.ts';
import { storeLocalFile } from './local-files.ts';

export const joinTexts = ({
  name,
  description,
  coverAlt,
}: Record<'name' | 'description' | 'coverAlt', string>) =>
  [name, description, coverAlt].filter(Boolean).join('\n\n');

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

/** The first channel of a new forum, to be kept or changed. */
export const exampleChannel = {
  name: 'General',
  description: 'Para presentarnos y hablar de lo que no tenga su propio canal.',
};

/** Names of the draft's cover files: the uploaded one, and a new one that is to replace it. */
export const coverFiles = ['cover', 'upload'] as const;

export const newChannelDraft = (userId: string): Draft<typeof emptyContent> => ({
  key: `channel-draft ${userId}`,
  unchanged: emptyContent,
});

/** Unsaved changes to a channel's texts. A newly chosen cover is stored as a file. */
export function channelEditDraft(userId: string, channel: Channel) {
  const { _id, name, description, coverAlt, revision } = channel;
  const unchanged = { name, description, coverAlt, revision };
  return { key: `channel-edit ${userId} ${_id}`, unchanged };
}

/**
 * Returns a withdrawn channel and its cover to the form, filling empty fields and appending the rest to the
 * description. Does nothing if this was done before.
 * @returns a function that undoes this unless the draft has changed since
 */
export async function returnToCreateForm(
  userId: string,
  pendingPost: PendingPost,
): Promise<() => void> {
  const draft = newChannelDraft(userId);
  const typed = readDraft(draft);
  if (typed.description.endsWith(pendingPost.description)) return () => {};
  const rest = typed.name ? joinTexts({ ...pendingPost, coverAlt: '' }) : pendingPost.description;
  const cover = typed.cover ? null : await fetchCover(pendingPost.cover);
  if (cover) await storeLocalFile(`${userId} ${coverFiles[0]}`, cover);
  changeDraft(draft, {
    name: typed.name || pendingPost.name,
    description: [typed.description, rest].filter(Boolean).join('\n\n'),
    ...(cover && { cover: pendingPost.cover, coverAlt: pendingPost.coverAlt }),
  });
  const returned = readDraft(draft);
  return () => {
    if (readDraft(draft) === returned) changeDraft(draft, typed);
  };
}

async function fetchCover(url: string): Promise<File | null> {
  try {
    const response = await fetch(url);
    return response.ok ? new File([await response.blob()], 'portada') : null;
  } catch {
    // A cover on another site cannot be read.
    return null;
  }
}
