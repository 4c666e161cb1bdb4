import type { Comment } from '../../shared/comments.ts';
import { texts } from '../ui/texts.ts';

/** Replaces the text of a comment without one, where nothing of what it carries is shown. */
export const carriedName = ({ event, files }: Pick<Comment, 'event' | 'files'>): string =>
  event?.title ?? files[0]?.name ?? texts.imagesAlone;
