import { InvalidCursor } from '../database/errors.ts';
import { uuid } from '../forum/cursors.ts';

/** Above all UUIDs of rows. */
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The decision id below which a list, newest first, continues. @throws InvalidCursor */
export function parseDecisionCursor(after: string | undefined): string {
  if (after === undefined) return highestId;
  if (!uuid.test(after)) throw new InvalidCursor();
  return after;
}

/** Sort key of the last item on a page of the moderators' queue: its rank, then its id. */
export interface QueueCursor {
  rank: number;
  id: string;
}

export const formatQueueCursor = ({ rank, id }: QueueCursor) => `${rank}_${id}`;

/** @param after undefined for the first page @throws InvalidCursor */
export function parseQueueCursor(after: string | undefined): QueueCursor {
  if (after === undefined) return { rank: 0, id: '' };
  const [, rank, id] = /^([01])_(.{36})$/.exec(after) ?? [];
  if (id === undefined || !uuid.test(id)) throw new InvalidCursor();
  return { rank: Number(rank), id };
}
