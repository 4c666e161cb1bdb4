import { parseCommentId } from '../../../../shared/comment-id.ts';
import { uuid } from '../../../forum/cursors.ts';
import type { Content } from '../../../moderation/decisions/locked-content.ts';
import { eraseContent } from '../../../moderation/erasure/erase-content.ts';
import { OperatorError } from '../../../system/operator-error.ts';
import { findAccount } from './find-accounts.ts';
import { forEachOf } from './for-each-of.ts';
import type { AdminContext } from './with-admin.ts';

export async function erase(admin: AdminContext, ...ids: string[]): Promise<void> {
  const contents = new Map<string, Content>();
  for (const id of ids) {
    const account = await findAccount(admin.db, `id:${id}`).catch(() => undefined);
    if (account) throw new OperatorError(`${id} is an account: tertulia admin erase-account ${id}`);
    contents.set(id, parseContentId(id));
  }
  await forEachOf(admin, contents, async (content, id) => {
    await eraseContent(admin, content);
    admin.print(`${id} is erased for good.`);
  });
}

/** @param id of a channel or a comment @throws OperatorError for anything else */
function parseContentId(id: string): Content {
  if (uuid.test(id)) return { kind: 'channel', channelId: id };
  const key = parseCommentId(id);
  if (key?.number && uuid.test(key.channelId)) return { kind: 'comment', ...key };
  throw new OperatorError(`${id} is not the id of a channel or a comment.`);
}
