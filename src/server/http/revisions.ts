import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { ApiError } from './api-error.ts';
import { matchesEntityTag } from './entity-tags.ts';

/** Headers schema of routes that edit one revision. */
export const revisionHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'La revisión que se cambia, entre comillas: `"3"`. Es obligatoria.',
    }),
  ),
});

export function revisionTag({ revision }: { revision: number }): string {
  return `"${revision}"`;
}

/** Decides which revisions an edit may replace. */
export interface Precondition {
  /** @throws ApiError `revision_required` when the request names none */
  allows: (current: { revision: number }) => boolean;
}

/** Whether an edit has the content that is there already, as when its response was lost. @param isSame may throw for invalid content */
export function repeats(isSame: () => boolean): boolean {
  try {
    return isSame();
  } catch {
    return false;
  }
}

/** Reads `If-Match`. Refuses an asterisk, which would overwrite edits that the author has not seen. */
export function preconditionOf({ headers }: FastifyRequest): Precondition {
  const header = headers['if-match']?.trim() ?? '';
  return {
    allows: (current) => {
      if (header === '' || header === '*') throw new ApiError('revision_required');
      return matchesEntityTag(header, revisionTag(current));
    },
  };
}
