import { commentId } from '../../../shared/comment-id.ts';
import { eraseChannel } from '../../channels/erase-channels.ts';
import { findNames } from '../../comments/mention-names.ts';
import { findStored } from '../../comments/stored-comments.ts';
import { type StoredText, toPlainText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import {
  type Content,
  deleteComment,
  ensureHidden,
  hideChannel,
  hideComment,
  parseContentId,
  showChannel,
  showComment,
} from './moderated-content.ts';
import { printMatches, printTable, printText, toTime } from './print-table.ts';
import { type Admin, AdminError, audited } from './with-admin.ts';

/** Comments shown by `comments`. */
const maxComments = 50;

/** Hides a channel or comment from all visitors, and keeps its author from restoring it. */
export async function hide(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'hide', (trx, content) =>
    content.kind === 'comment'
      ? hideComment(trx, admin, content)
      : hideChannel(trx, content.channelId, admin.now()),
  );
  admin.print(`Hidden. To show it again: show ${id}`);
}

/** Shows what was hidden. What its author had deleted returns to the author's bin. */
export async function show(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'show', (trx, content) =>
    content.kind === 'comment'
      ? showComment(trx, admin, content)
      : showChannel(trx, content.channelId),
  );
  admin.print('Shown again, or back in the bin of the author who had deleted it.');
}

/** Deletes permanently, a channel with all its comments. The sweep removes its images later. */
export async function deleteContent(admin: Admin, id: string): Promise<void> {
  const { kind, channelId } = await change(admin, id, 'delete', (trx, content) =>
    content.kind === 'comment'
      ? deleteComment(trx, admin, content)
      : ensureHidden(trx, content.channelId, admin.now()),
  );
  if (kind === 'channel') await eraseChannel(admin.db, channelId);
  admin.print('Deleted permanently.');
}

/** Lists the newest channels whose name or id contains the text, including hidden and deleted ones. */
export async function listChannels({ db, print }: Admin, search = ''): Promise<void> {
  const channels = await db
    .selectFrom('channels')
    .innerJoin('accounts', 'accounts.id', 'channels.account_id')
    .select([
      'channels.id',
      'channels.name',
      'comment_count',
      'hidden_at_ms',
      'deleted_at_ms',
      'closed_at_ms',
      'email',
    ])
    .orderBy('channels.id', 'desc')
    .execute();
  const found = channels.filter(({ id, name }) =>
    `${id} ${name}`.toLowerCase().includes(search.toLowerCase()),
  );
  printMatches(
    print,
    ['channel', 'name', 'by', 'comments', ''],
    found.map((row) => [row.id, row.name, row.email, String(row.comment_count), stateOf(row)]),
  );
}

function stateOf(row: {
  hidden_at_ms: number | null;
  deleted_at_ms: number | null;
  closed_at_ms?: number | null;
}): string {
  if (row.hidden_at_ms !== null) return 'hidden';
  if (row.deleted_at_ms !== null) return 'deleted';
  return row.closed_at_ms ? 'closed' : '';
}

/** Lists the newest comments of a channel, including hidden and deleted ones, oldest first. */
export async function listComments({ db, print }: Admin, id: string): Promise<void> {
  const { channelId } = parseContentId(id);
  const newest = await db
    .selectFrom('comments')
    .innerJoin('accounts', 'accounts.id', 'comments.account_id')
    .select(['number', 'text', 'email', 'comments.created_at_ms', 'hidden_at_ms', 'deleted_at_ms'])
    .where('channel_id', '=', channelId)
    .orderBy('number', 'desc')
    .limit(maxComments)
    .execute();
  const names = await findNames(
    db,
    newest.map(({ text }) => text),
  );
  printTable(
    print,
    ['comment', 'by', 'at', '', 'text'],
    newest.reverse().map((row) => {
      const id = commentId(channelId, row.number);
      const text = toPlainText(row.text, names);
      return [id, row.email, toTime(row.created_at_ms), stateOf(row), text];
    }),
  );
}

/** Prints the texts of a comment, hidden and deleted ones too: the earlier ones and the present one. */
export async function listVersions({ db, print }: Admin, id: string): Promise<void> {
  const content = parseContentId(id);
  if (content.kind !== 'comment') throw new AdminError(`${id} is not the id of a comment.`);
  const { channelId, number } = content;
  const current = await findStored(db, content);
  if (!current) throw new AdminError('There is no such comment.');
  const earlier = await db
    .selectFrom('comment_versions')
    .select(['revision', 'text', 'replaced_at_ms'])
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .orderBy('revision')
    .execute();
  const printWithNames = async (text: StoredText) =>
    printText(print, toPlainText(text, await findNames(db, [text])));
  for (const { revision, text, replaced_at_ms } of earlier) {
    print(`Revision ${revision}, until ${toTime(replaced_at_ms)} (UTC):`);
    await printWithNames(text);
  }
  print(`Revision ${current.revision}, the present one:`);
  await printWithNames(current.text);
}

async function change(
  admin: Admin,
  id: string,
  verb: 'hide' | 'show' | 'delete',
  work: (trx: Database, content: Content) => Promise<void>,
): Promise<Content> {
  const content = parseContentId(id);
  await audited(
    admin,
    { action: `${verb}-${content.kind}`, subject: id },
    (trx) => work(trx, content),
    // The servers drop the channel, and the lists that contain it, from their caches.
    { kind: 'channel', channelId: content.channelId },
  );
  return content;
}
