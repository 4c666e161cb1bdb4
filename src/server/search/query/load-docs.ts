import { sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import type { SearchHit } from '../../../shared/search.ts';
import { completeComments, isAt } from '../../comments/comment-details.ts';
import { selectComments } from '../../comments/comment-rows.ts';
import { type StoredText, searchedText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';

/** A visible comment found in the index. */
export interface Candidate {
  doc: number;
  channel_id: string;
  channelName: string;
  number: number;
  /** Without names in mentions; empty unless texts are requested. */
  text: string;
}

interface LoadedCandidates {
  /** Visible comments by doc. */
  visible: Map<number, Candidate>;
  /** Hidden channels of the other docs, by `search_channels.id`. */
  hiddenChannels: number[];
}

/** Loads the comments of docs from the index. @param authorId restricts them to an author's */
export async function loadCandidates(
  db: Database,
  docs: number[],
  { withTexts, authorId }: { withTexts: boolean; authorId: string | undefined },
): Promise<LoadedCandidates> {
  const all = await findKeys(db, docs);
  const hiddenChannels = all.flatMap(({ channel, channelName }) =>
    channelName === null ? channel : [],
  );
  const keys = all.flatMap(({ channelName, ...key }) =>
    channelName === null ? [] : { ...key, channelName },
  );
  if (keys.length === 0) return { visible: new Map(), hiddenChannels };
  const listed = keys.map(
    ({ channel_id, number }) => sql`(${channel_id}, cast(${number} as integer))`,
  );
  // This is not one query with the keys: PostgreSQL would read each channel as a whole.
  const { rows } = await sql<
    Omit<Candidate, 'doc' | 'channelName' | 'text'> & { text: StoredText }
  >`
    select channel_id, number, ${withTexts ? sql.ref('text') : sql.lit('')} as text
    from (values ${sql.join(listed)}) as given
    join visible_comments on channel_id = given.column1 and number = given.column2
    ${authorId === undefined ? sql`` : sql`where account_id = ${authorId}`}
  `.execute(db);
  const byId = new Map(rows.map((row) => [commentId(row.channel_id, row.number), row]));
  const visible = new Map(
    keys.flatMap(({ doc, channelName, channel_id, number }) => {
      const row = byId.get(commentId(channel_id, number));
      return row ? [[doc, { doc, channelName, ...row, text: searchedText(row.text) }]] : [];
    }),
  );
  return { visible, hiddenChannels };
}

/** Selects the keys of the docs' comments, with the names of visible channels. */
function findKeys(db: Database, docs: number[]) {
  return db
    .selectFrom('search_docs')
    .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
    .leftJoin('visible_channels', 'visible_channels.id', 'search_channels.channel_id')
    .where('search_docs.doc', 'in', docs)
    .select(['search_docs.doc', 'search_docs.channel', 'search_docs.number'])
    .select(['search_channels.channel_id', 'visible_channels.name as channelName'])
    .execute();
}

/** Loads the complete comments in their order, without those that are no longer visible. */
export async function loadComments<T extends Candidate>(
  db: Database,
  candidates: T[],
): Promise<(T & Omit<SearchHit, 'snippet'>)[]> {
  if (candidates.length === 0) return [];
  const rows = await selectComments(db).where(isAt(candidates)).execute();
  const comments = await completeComments(db, rows);
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return candidates.flatMap((candidate) => {
    const { channel_id: _id, number, channelName: name } = candidate;
    const comment = byId.get(commentId(_id, number));
    return comment ? [{ ...candidate, comment, channel: { _id, name } }] : [];
  });
}
