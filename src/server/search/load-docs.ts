import { sql } from 'kysely';
import type { SearchHit } from '../../shared/search.ts';
import { completeComments } from '../comments/comment-details.ts';
import { selectComments } from '../comments/comment-rows.ts';
import type { Database } from '../database/tables.ts';

/** A visible comment that the index gives. */
export interface Candidate {
  doc: number;
  createdAtMs: number;
  /** Empty unless texts are asked for. */
  text: string;
}

/** The visible ones of these docs. */
export async function loadCandidates(
  db: Database,
  docs: number[],
  withTexts: boolean,
): Promise<Map<number, Candidate>> {
  const rows = await selectVisible(db, docs)
    .clearSelect()
    .select(['search_docs.doc', 'comments.created_at_ms as createdAtMs'])
    .select(withTexts ? 'comments.text' : sql.lit('').as('text'))
    .execute();
  return new Map(rows.map((row) => [row.doc, row]));
}

export interface FoundComment extends Omit<SearchHit, 'snippet'> {
  doc: number;
}

/** The visible ones of these docs, complete, in the order of the docs. */
export async function loadComments(db: Database, docs: number[]): Promise<FoundComment[]> {
  if (docs.length === 0) return [];
  const rows = await selectVisible(db, docs)
    .select(['search_docs.doc', 'channels.name as channel_name'])
    .execute();
  const comments = await completeComments(db, rows);
  const found = comments.map((comment, index): FoundComment => {
    const { doc = 0, channel_name: name = '' } = rows[index] ?? {};
    return { doc, comment, channel: { _id: comment.channelId, name } };
  });
  const byDoc = new Map(found.map((one) => [one.doc, one]));
  return docs.flatMap((doc) => byDoc.get(doc) ?? []);
}

/** Comments of these docs that are neither removed nor in a hidden channel. */
function selectVisible(db: Database, docs: number[]) {
  return selectComments(db)
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .innerJoin('search_channels', 'search_channels.channel_id', 'comments.channel_id')
    .innerJoin('search_docs', (join) =>
      join
        .onRef('search_docs.channel', '=', 'search_channels.id')
        .onRef('search_docs.number', '=', 'comments.number'),
    )
    .where('channels.hidden_at_ms', 'is', null)
    .where('search_docs.doc', 'in', docs);
}
