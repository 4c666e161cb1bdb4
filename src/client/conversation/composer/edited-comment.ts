import { useSyncExternalStore } from 'react';
import { fieldsOf } from '../../../shared/fields-of.ts';
import { onDraftChange, readDraftText } from '../../storage/draft-texts.ts';

/** Prefix of the keys of an account's drafts. A channel id follows it. */
export const draftPrefix = (userId: string) => `comment-draft ${userId} `;

/** Number of the comment being edited in a channel's composer. */
export function useEditedComment(userId: string, channelId: string): number | undefined {
  return useSyncExternalStore(onDraftChange, () => readEdited(draftPrefix(userId) + channelId));
}

function readEdited(key: string): number | undefined {
  try {
    const draft = fieldsOf(JSON.parse(readDraftText(key) ?? 'null'));
    const { number } = fieldsOf(draft.editing);
    return typeof number === 'number' ? number : undefined;
  } catch {
    // The composer removes unreadable drafts.
    return undefined;
  }
}
