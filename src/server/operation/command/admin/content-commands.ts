import { parseCommentId } from '../../../../shared/comment-id.ts';
import { type Content, uuid } from '../../../moderation/decisions/locked-content.ts';
import { eraseContent } from '../../../moderation/decisions/erase-content.ts';
import { listChannels, listComments } from '../../../moderation/decisions/list-content.ts';
import { listVersions } from '../../../moderation/decisions/list-versions.ts';
import { OperatorError } from '../../../system/operator-error.ts';
import { findAccount } from './find-accounts.ts';
import { forEachOf } from './for-each-of.ts';
import { printMatches, printTable, printText, toTime } from './print-table.ts';
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

export async function channels(admin: AdminContext, search = ''): Promise<void> {
  await printMatches(
    admin.print,
    ['channel', 'name', 'by', 'account', 'comments', ''],
    (after) => listChannels(admin, { search, after }),
    ({ id, name, author, account_id, comment_count, state }) => {
      return [id, name, author, account_id, String(comment_count), state];
    },
  );
}

export async function comments(admin: AdminContext, id: string): Promise<void> {
  const found = await listComments(admin, parseContentId(id).channelId);
  printTable(
    admin.print,
    ['comment', 'by', 'account', 'at', '', 'text'],
    found.map(({ id, author, account_id, created_at_ms, state, text }) => {
      return [id, author, account_id, toTime(created_at_ms), state, text];
    }),
  );
}

export async function versions(admin: AdminContext, id: string): Promise<void> {
  const { print } = admin;
  const content = parseContentId(id);
  if (content.kind !== 'comment') throw new OperatorError(`${id} is not the id of a comment.`);
  for (const { revision, text, until } of (await listVersions(admin, content)).data) {
    const when = until ? `until ${toTime(Date.parse(until))} (UTC)` : 'the present one';
    print(`Revision ${revision}, ${when}:`);
    printText(print, text);
  }
}

/** @param id of a channel or a comment @throws OperatorError for anything else */
export function parseContentId(id: string): Content {
  if (uuid.test(id)) return { kind: 'channel', channelId: id };
  const key = parseCommentId(id);
  if (key?.number && uuid.test(key.channelId)) return { kind: 'comment', ...key };
  throw new OperatorError(`${id} is not the id of a channel or a comment.`);
}
