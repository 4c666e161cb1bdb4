import { sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import type { SearchHit } from '../../../shared/search.ts';
import { completeComments, isAt } from '../../comments/comment-details.ts';
import { selectComments } from '../../comments/comment-rows.ts';
import { type StoredText, searchedText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';

/** A visible comment that the index gives. */
export interface Candidate {
  doc: number;
  channel_id: string;
  channelName: string;
  number: number;
  createdAtMs: number;
  /** Without names in mentions; empty unless texts are asked for. */
  text: string;
}

interface LoadedCandidates {
  /** The visible ones, by doc. */
  visible: Map<number, Candidate>;
  /** Hidden channels in which others are, by `search_channels.id`. */
  hiddenChannels: number[];
}

/** The comments of these docs, which the index gives. */
export async function loadCandidates(
  db: Database,
  docs: number[],
  withTexts: boolean,
): Promise<LoadedCandidates> {
  const all = await findPlaces(db, docs);
  const hiddenChannels = all.flatMap(({ channel, channelName }) =>
    channelName === null ? channel : [],
  );
  const places = all.flatMap(({ channelName, ...place }) =>
    channelName === null ? [] : { ...place, channelName },
  );
  if (places.length === 0) return { visible: new Map(), hiddenChannels };
  const listed = places.map(
    ({ channel_id, number }) => sql`(${channel_id}, cast(${number} as integer))`,
  );
  // Not one query with their places: PostgreSQL would read each of their channels as a whole.
  const { rows } = await sql<
    Omit<Candidate, 'doc' | 'channelName' | 'text'> & { text: StoredText }
  >`
    select channel_id, number, created_at_ms as "createdAtMs",
      ${withTexts ? sql.ref('text') : sql.lit('')} as text
    from (values ${sql.join(listed)}) as given
    join visible_comments on channel_id = given.column1 and number = given.column2
  `.execute(db);
  const byId = new Map(rows.map((row) => [commentId(row.channel_id, row.number), row]));
  const visible = new Map(
    places.flatMap(({ doc, channelName, channel_id, number }) => {
      const row = byId.get(commentId(channel_id, number));
      return row ? [[doc, { doc, channelName, ...row, text: searchedText(row.text) }]] : [];
    }),
  );
  return { visible, hiddenChannels };
}

/** Where the comments of docs are, with the names of the channels that are visible. */
function findPlaces(db: Database, docs: number[]) {
  return db
    .selectFrom('search_docs')
    .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
    .leftJoin('visible_channels', 'visible_channels.id', 'search_channels.channel_id')
    .where('search_docs.doc', 'in', docs)
    .select(['search_docs.doc', 'search_docs.channel', 'search_docs.number'])
    .select(['search_channels.channel_id', 'visible_channels.name as channelName'])
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
