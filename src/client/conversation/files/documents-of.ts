import type { Document } from '../../../shared/files.ts';
import { limits } from '../../../shared/limits.ts';
import { type ChannelState, isInSpan } from '../../state/state.ts';

/** The latest files of a channel: those of the comments on the page as these are now, the others as they were fetched. */
export function documentsOf({
  _id,
  name,
  comments,
  span,
  documents = [],
}: ChannelState): Document[] {
  const onPage = comments.flatMap(({ number, autor, createdAt, files }) =>
    files.map((file) => ({ ...file, channel: { _id, name }, number, autor, createdAt })),
  );
  return [...documents.filter(({ number }) => !isInSpan(span, number)), ...onPage]
    .sort((one, other) => other.number - one.number)
    .slice(0, limits.asideItems);
}
