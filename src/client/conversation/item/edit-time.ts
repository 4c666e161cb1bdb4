import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { serverNow } from '../../api/call.ts';

/**
 * Whether something created then can still be edited, or may be since the server's time is unknown. The
 * server decides when it is saved.
 */
export function isEditable({ createdAt }: Pick<Comment, 'createdAt'>): boolean {
  const nowMs = serverNow();
  return nowMs === null || nowMs - Date.parse(createdAt) < limits.editHours * 3_600_000;
}
