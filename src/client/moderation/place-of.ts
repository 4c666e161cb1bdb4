import { splitCommentId } from '../../shared/comment-id.ts';
import type { Subject } from '../../shared/moderation.ts';
import { commentLink, pageRoutes, withQuery } from '../../shared/routes.ts';

/** The address where a subject is shown, or was. */
export function placeOf({ kind, id }: Subject): string {
  if (kind !== 'comment') return pageRoutes[kind](id);
  const { channelId, number } = splitCommentId(id);
  return commentLink(channelId, number);
}

/** The address of a wave's progress. */
export const waveLink = (decision: string) =>
  withQuery(pageRoutes.moderation, { state: 'wave', decision });
