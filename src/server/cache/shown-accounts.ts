import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';

/** What public responses are made of. */
export type PublicData = Channel | Comment | { data: readonly (Channel | Comment)[] };

/** Ids of the authors of channels and comments, embedded comments included. */
export function shownAccounts(shown: PublicData): string[] {
  if ('data' in shown) return shown.data.flatMap(shownAccounts);
  const embedded = 'comments' in shown ? shown.comments.flatMap(shownAccounts) : [];
  return [shown.autorId, ...embedded];
}
