import type { CommentFile } from '../../../shared/files.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { fileNameOf } from '../../images/stored-file.ts';
import { type CommentRowKey, isAt } from '../comments/comment-keys.ts';

/** The file as a comment shows it. */
export function toCommentFile(
  row: Pick<Tables['images'], 'url' | 'full_path' | 'size_bytes' | 'content_type'>,
): CommentFile {
  const { url, full_path, size_bytes, content_type } = row;
  return { url, name: fileNameOf(full_path), size: size_bytes, type: content_type };
}
