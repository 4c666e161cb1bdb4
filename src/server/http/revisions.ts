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

/** The revision as an entity tag. */
export function revisionTag({ revision }: { revision: number }): string {
  return `"${revision}"`;
}

/** The revisions that an edit may replace. */
export interface Precondition {
  /** @throws ApiError `revision_required` when the request names none */
  allows: (current: { revision: number }) => boolean;
}

/** From `If-Match`. An asterisk names no revision: it would overwrite what the author has not seen. */
export function preconditionOf({ headers }: FastifyRequest): Precondition {
  const header = headers['if-match']?.trim() ?? '';
  return {
    allows: (current) => {
      if (header === '' || header === '*') throw new ApiError('revision_required');
      return matchesEntityTag(header, revisionTag(current));
    },
  };
}
