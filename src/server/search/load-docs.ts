import { sql } from 'kysely';
import { commentId } from '../../shared/comment-id.ts';
import type { SearchHit } from '../../shared/search.ts';
import { completeComments, isAt } from '../comments/comment-details.ts';
import { selectComments } from '../comments/comment-rows.ts';
import type { Database } from '../database/tables.ts';

/** A visible comment that the index gives. */
export interface Candidate {
  doc: number;
  channel_id: string;
  channelName: string;
  number: number;
  createdAtMs: number;
  /** Empty unless texts are asked for. */
  text: string;
}

/** The visible ones of these docs, in their order. */
export async function loadCandidates(
  db: Database,
  docs: number[],
  withTexts: boolean,
): Promise<Map<number, Candidate>> {
  const places = await findPlaces(db, docs);
  if (places.length === 0) return new Map();
  // Not a join with their places: PostgreSQL would read each of their channels as a whole.
  const rows = await db
    .selectFrom('comments')
    .where(isAt(places))
    .select(['channel_id', 'number', 'created_at_ms as createdAtMs'])
    .select(withTexts ? 'text' : sql.lit('').as('text'))
    .execute();
  const byId = new Map(rows.map((row) => [commentId(row.channel_id, row.number), row]));
  return new Map(
    places.flatMap((place) => {
      const row = byId.get(commentId(place.channel_id, place.number));
      return row ? [[place.doc, { ...place, ...row }]] : [];
    }),
  );
}

/** Where the comments of docs are that are not in hidden channels. */
function findPlaces(db: Database, docs: number[]) {
  return db
    .selectFrom('search_docs')
    .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
    .innerJoin('channels', 'channels.id', 'search_channels.channel_id')
    .where('search_docs.doc', 'in', docs)
    .where('channels.hidden_at_ms', 'is', null)
    .select(['search_docs.doc', 'search_docs.number'])
    .select(['channels.id as channel_id', 'channels.name as channelName'])
    .execute();
}

export interface FoundComment extends Omit<SearchHit, 'snippet'> {
  doc: number;
}

/** These comments, complete, in their order, except those removed since. */
export async function loadComments(db: Database, candidates: Candidate[]): Promise<FoundComment[]> {
  if (candidates.length === 0) return [];
  const rows = await selectComments(db).where(isAt(candidates)).execute();
  const comments = await completeComments(db, rows);
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return candidates.flatMap(({ doc, channel_id, number, channelName }) => {
    const comment = byId.get(commentId(channel_id, number));
    return comment ? [{ doc, comment, channel: { _id: channel_id, name: channelName } }] : [];
  });
}
