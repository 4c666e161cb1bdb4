import Type from 'typebox';
import { ApiError } from './api-error.ts';
import { namesEntityTag } from './entity-tags.ts';

/** Headers schema of routes that require `If-Match` with a revision. */
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

/**
 * Checks `If-Match`. An asterisk counts as missing, since it would overwrite edits that the author has not seen.
 * @param isSame whether the edit changes nothing, as when a client repeats one whose response was lost. Any revision
 * is accepted then
 * @throws ApiError `revision_required`, `edit_conflict`
 */
export function requireRevision(
  ifMatch: string | undefined,
  current: { revision: number },
  isSame: boolean,
): void {
  const header = ifMatch?.trim() ?? '';
  if (header === '' || header === '*') throw new ApiError('revision_required');
  if (!isSame && !namesEntityTag(header, revisionTag(current), 'strong'))
    throw new ApiError('edit_conflict');
}
