import { type SqlBool, sql } from 'kysely';
import type { Document, DocumentPage } from '../../../shared/files.ts';
import { limits } from '../../../shared/limits.ts';
import { nameKey } from '../../accounts/names.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { firstWithin } from '../comments/comment-details.ts';
import { formatTimedCursor, isPast, parseTimedCursor, type TimedCursor } from '../cursors.ts';
import { toCommentFile } from './comment-files.ts';

/** Comments whose files are compared with a searched name for one page. */
const comparedComments = 500;
/** Distinct words of a search that are compared. Without a bound, a long search would hold the process. */
const mostWords = 8;

export interface DocumentQuery {
  /** Words that names must have in them, in any case, with or without accents. */
  q?: string | undefined;
  channel?: string | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
}

/**
 * One page of the files of visible comments, newest first; the files of a comment are on one page. A search compares
 * the files of 500 comments, so its page may have few and still be followed by another.
 * @throws InvalidCursor
 */
export async function listDocuments(db: Database, query: DocumentQuery): Promise<DocumentPage> {
  const { q = '', channel, after } = query;
  const typed = nameKey(q.toWellFormed()).split(/\s+/).filter(Boolean);
  const words = [...new Set(typed)].slice(0, mostWords);
  const cursor = after === undefined ? undefined : parseTimedCursor('', after);
  const read = words.length > 0 ? comparedComments : limits.documentsPerPage;
  const comments = await readComments(db, channel, cursor, read + 1);
  const some = comments.slice(0, read).map(({ files, ...comment }) => ({
    ...comment,
    files: files.filter(({ name }) => {
      const key = nameKey(name);
      return words.every((word) => key.includes(word));
    }),
  }));
  const page = firstWithin(limits.documentsPerPage, some, ({ files }) => files.length);
  const last = comments.length > page.length ? page.at(-1)?.cursor : undefined;
  return {
    data: page.flatMap(({ files }) => files),
    next: last ? formatTimedCursor('', last) : null,
  };
}

/** The latest files of a channel. */
export async function listChannelDocuments(db: Database, channelId: string): Promise<Document[]> {
  const comments = await readComments(db, channelId, undefined, limits.asideItems);
  return comments.flatMap(({ files }) => files).slice(0, limits.asideItems);
}

/** Reads the newest visible comments with files, whose order the times of comments give. */
async function readComments(
  db: Database,
  channelId: string | undefined,
  after: TimedCursor | undefined,
  limit: number,
): Promise<{ cursor: TimedCursor; files: Document[] }[]> {
  const newest = db
    .selectFrom('visible_comments as comments')
    .select(['created_at_ms', 'channel_id', 'number', 'account_id'])
    // A literal, which the partial indexes need.
    .where(sql<SqlBool>`comments.file_count > 0`)
    .where(isPast('created_at_ms', '<', after))
    .$if(channelId !== undefined, (query) => query.where('channel_id', '=', channelId ?? ''))
    .orderBy('created_at_ms', 'desc')
    .orderBy('channel_id', 'desc')
    .orderBy('number', 'desc')
    .limit(limit);
  const rows = await db
    .selectFrom(newest.as('newest'))
    .innerJoin('channels', 'channels.id', 'newest.channel_id')
    .innerJoin('accounts', 'accounts.id', 'newest.account_id')
    .innerJoin('comment_files', (join) =>
      join
        .onRef('comment_files.channel_id', '=', 'newest.channel_id')
        .onRef('comment_files.number', '=', 'newest.number'),
    )
    .innerJoin('images', 'images.url', 'comment_files.url')
    .select([
      'newest.created_at_ms',
      'newest.channel_id',
      'newest.number',
      'accounts.name as autor',
    ])
    .select(['channels.name as channel_name'])
    .select(['images.url', 'images.full_path', 'images.size_bytes', 'images.content_type'])
    .orderBy('newest.created_at_ms', 'desc')
    .orderBy('newest.channel_id', 'desc')
    .orderBy('newest.number', 'desc')
    .orderBy('comment_files.position')
    .execute();
  const byComment = Map.groupBy(rows, (row) => `${row.channel_id} ${row.number}`);
  return [...byComment.values()].flatMap((files) => {
    const [row] = files;
    if (!row) return [];
    const { channel_id, number, autor } = row;
    const channel = { _id: channel_id, name: row.channel_name };
    const of = { channel, number, autor, createdAt: toInstant(row.created_at_ms) };
    return {
      cursor: { atMs: row.created_at_ms, channelId: channel_id, number },
      files: files.map((file) => ({ ...toCommentFile(file), ...of })),
    };
  });
}
