import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { isVisible, type Visibility } from '../../forum/visible-rows.ts';
import { authorToken, channelsToken, channelToken } from '../../search-index/index-comment.ts';
import { type StoredText, searchedText } from '../../texts/stored-text.ts';
import { wholeText } from '../../texts/whole-text.ts';
import { type DocSearch, docsEnd, findDocs } from './find-docs.ts';
import { hasPhrases, isInOrder, type Query } from './parse-query.ts';
import { queriesOf } from './search-queries.ts';

/** Limits of one request. A page that reaches one of them is short, and the next one continues there. */
const bounds = {
  /** Comments from the index, including those that are not visible. */
  candidates: 1000,
  /** UTF-16 code units of the texts. */
  chars: 200_000,
  /** Hidden channels and authors that the index query excludes. */
  hidden: 50,
};
/** Docs read beyond the limit, because some may be left out. */
const spare = 10;
/** Comments loaded at once, each of up to 10,000 characters. */
const loadedAtOnce = 200;

/** A visible comment found in the index. */
export interface Candidate {
  doc: number;
  channel_id: string;
  channelName: string;
  number: number;
  /** Without the names in mentions. */
  text: string;
}

export interface CandidateSearch extends DocSearch {
  query: Query;
}

export interface Candidates {
  /** Newest first. */
  found: Candidate[];
  /** The search continues below this doc; null when nothing is left. */
  rest: number | null;
}

/**
 * Finds the newest visible comments that match.
 * @param orderFor the query whose phrases are checked in the text of a doc
 */
export async function findCandidates(
  db: Database,
  { limit, before = docsEnd, ...search }: CandidateSearch,
  orderFor: (doc: number) => Query = () => search.query,
): Promise<Candidates> {
  const without = new Set<string>();
  // Leaves out the docs of channels.
  const excluded = [...search.query.excluded, channelsToken];
  const query = { ...search.query, excluded };
  const found: Candidate[] = [];
  let examined = 0;
  let chars = 0;
  for (let below = before; ; ) {
    // SQLite answers without a turn of the event loop, so let other requests run.
    await yieldToEventLoop();
    // A filter may remove some of the rows, so more are read: one large query costs less than several.
    const isFiltered = examined > 0 || hasPhrases(search.query);
    const asked = isFiltered ? loadedAtOnce : limit + spare;
    const wanted = { ...search, query, without, before: below, limit: asked };
    const { docs, rest } = await findDocs(db, wanted);
    const rows = await load(db, docs, search.authorId);
    for (const doc of docs) {
      const row = rows.get(doc);
      examined++;
      if (row && without.size < bounds.hidden) {
        if (row.channelName === null) without.add(channelToken(row.channel_id));
        else if (row.authorHiddenBy !== null) without.add(authorToken(row.account_id));
      }
      if (row?.channelName && row.text && row.authorHiddenBy === null && isVisible(row)) {
        const { channel_id, channelName, number, text } = row;
        const candidate = { doc, channel_id, channelName, number, text: searchedText(text) };
        const ordered = orderFor(doc);
        if (isInOrder(ordered, candidate.text)) found.push(candidate);
        if (hasPhrases(ordered)) chars += candidate.text.length;
      }
      const isFull = found.length === limit;
      if (isFull || examined === bounds.candidates || chars >= bounds.chars) {
        return { found, rest: doc };
      }
    }
    if (rest === null) return { found, rest };
    below = rest;
  }
}

interface Row extends Visibility {
  doc: number;
  channel_id: string;
  /** Null where the channel is not visible. */
  channelName: string | null;
  number: number;
  account_id: string;
  authorHiddenBy: string | null;
  text: StoredText;
}

async function load(
  db: Database,
  docs: number[],
  authorId: string | undefined,
): Promise<Map<number, Row>> {
  if (docs.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select d.doc, s.channel_id, v.name as "channelName", d.number, c.account_id, ${wholeText('c')} as text,
      c.deleted_at_ms, c.hidden_by,
      (select a.hidden_by from accounts a where a.id = c.account_id) as "authorHiddenBy"
    from search_docs d
    join search_channels s on s.id = d.channel
    left join visible_channels v on v.id = s.channel_id
    join ${queriesOf(db).commentOfDoc} c on c.channel_id = s.channel_id and c.number = d.number
      ${authorId === undefined ? sql`` : sql`and c.account_id = ${authorId}`}
    where d.doc in (${sql.join(docs)})
  `.execute(db);
  return new Map(rows.map((row) => [row.doc, row]));
}
