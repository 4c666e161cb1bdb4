import type { Comment } from '../../../shared/comments.ts';

/**
 * Name of a button on a comment, for screen readers.
 * @param label must not contain "comentar", the label of the form's button
 */
export const aboutComment = (label: string, { number, autor }: Comment): string =>
  `${label}: n.º ${number}, de ${autor}`;
