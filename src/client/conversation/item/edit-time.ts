import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { serverNow } from '../../api/call.ts';

/**
 * Whether a comment or channel with this creation time is still editable; true while the server's time is unknown,
 * since the server decides when the edit is saved.
 */
export function isEditable({ createdAt }: Pick<Comment, 'createdAt'>): boolean {
  const nowMs = serverNow();
  return nowMs === null || nowMs - Date.parse(createdAt) < limits.editHours * 3_600_000;
}
