import { commentId } from '../../../shared/comment-id.ts';
import type { CommentFile } from '../../../shared/files.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { fileNameOf } from '../../images/stored-file.ts';
import { type CommentRowKey, isAt } from '../comments/comment-keys.ts';

/** Stores the files of a comment. Call `checkContent` first. */
export async function saveFiles(
  trx: Database,
  { channelId, number }: { channelId: string; number: number },
  files: { url: string }[],
): Promise<void> {
  if (files.length === 0) return;
  const key = { channel_id: channelId, number };
  const rows = files.map(({ url }, position) => ({ ...key, position, url }));
  await trx.insertInto('comment_files').values(rows).execute();
}

const columns = ['images.url', 'full_path', 'size_bytes', 'content_type'] as const;

/** The files of those of these comments that have some, in order, by comment id. */
export async function findCommentFiles(
  db: Database,
  rows: (CommentRowKey & { file_count: number })[],
): Promise<Map<string, CommentFile[]>> {
  const keys = rows.filter((row) => row.file_count > 0);
  if (keys.length === 0) return new Map();
  const found = await db
    .selectFrom('comment_files')
    .innerJoin('images', 'images.url', 'comment_files.url')
    .select(['channel_id', 'number', 'position', ...columns])
    .where(isAt(keys))
    .execute();
  const inOrder = found.sort((one, other) => one.position - other.position);
  const groups = Map.groupBy(inOrder, (row) => commentId(row.channel_id, row.number));
  return new Map([...groups].map(([id, files]) => [id, files.map(toCommentFile)]));
}

/** The uploaded files among these URLs, by URL. */
export async function findFiles(db: Database, urls: string[]): Promise<Map<string, CommentFile>> {
  if (urls.length === 0) return new Map();
  const rows = await db
    .selectFrom('images')
    .select(columns)
    .where('use', '=', 'file')
    .where('url', 'in', [...new Set(urls)])
    .execute();
  return new Map(rows.map((row) => [row.url, toCommentFile(row)]));
}

/** The file as a comment shows it. */
export function toCommentFile(
  row: Pick<Tables['images'], 'url' | 'full_path' | 'size_bytes' | 'content_type'>,
): CommentFile {
  const { url, full_path, size_bytes, content_type } = row;
  const [type = ''] = content_type.split(';');
  return { url, name: fileNameOf(full_path), size: size_bytes, type };
}
