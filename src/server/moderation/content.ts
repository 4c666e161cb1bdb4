import { commentId } from '../../shared/comment-id.ts';
import { eraseChannel } from '../channels/erase-channels.ts';
import { findNames } from '../comments/mention-names.ts';
import { findStored } from '../comments/stored-comments.ts';
import { type StoredText, toPlainText } from '../database/stored-text.ts';
import type { Database } from '../database/tables.ts';
import { type Admin, AdminError, audited } from './audited.ts';
import {
  type Content,
  ensureHidden,
  eraseComment,
  hideChannel,
  hideComment,
  parseContentId,
  showChannel,
  showComment,
} from './moderated-content.ts';

/** Number of comments that `listComments` returns. */
const maxComments = 50;

/**
 * Hides a channel or comment from all visitors, so that its author cannot restore it.
 * @throws AdminError when there is no such content, or it is hidden already
 */
export async function hide(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'hide', (trx, content) =>
    content.kind === 'comment'
      ? hideComment(trx, admin, content)
      : hideChannel(trx, content.channelId, admin.now()),
  );
}

/**
 * Shows a hidden channel or comment. If its author had deleted it, it returns to the author's bin.
 * @throws AdminError when it is not hidden
 */
export async function show(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'show', (trx, content) =>
    content.kind === 'comment'
      ? showComment(trx, admin, content)
      : showChannel(trx, content.channelId),
  );
}

/**
 * Erases a comment, or a channel with all its comments. The sweep erases their images later.
 * @throws AdminError when there is no such content
 */
export async function erase(admin: Admin, id: string): Promise<void> {
  const { kind, channelId } = await change(admin, id, 'delete', (trx, content) =>
    content.kind === 'comment'
      ? eraseComment(trx, admin, content)
      : ensureHidden(trx, content.channelId, admin.now()),
  );
  if (kind === 'channel') await eraseChannel(admin.db, channelId);
}

/** @returns channels whose name or id contains the text, including hidden and deleted ones, newest first */
export async function listChannels({ db }: Pick<Admin, 'db'>, search: string) {
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
  return channels
    .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(search.toLowerCase()))
    .map((channel) => ({ ...channel, state: stateOf(channel) }));
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

/**
 * @param id of a channel, or of one of its comments
 * @returns the newest comments of the channel, including hidden and deleted ones, oldest first
 * @throws AdminError when it is neither
 */
export async function listComments({ db }: Pick<Admin, 'db'>, id: string) {
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
  return newest.reverse().map((row) => ({
    ...row,
    id: commentId(channelId, row.number),
    text: toPlainText(row.text, names),
    state: stateOf(row),
  }));
}

/**
 * @returns the earlier texts of a comment, oldest first, and its current one; hidden and deleted comments
 * have them too
 * @throws AdminError when there is no such comment
 */
export async function listVersions({ db }: Pick<Admin, 'db'>, id: string) {
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
  const names = await findNames(
    db,
    [...earlier, current].map(({ text }) => text),
  );
  const asRead = <T extends { text: StoredText }>(row: T) => ({
    ...row,
    text: toPlainText(row.text, names),
  });
  return { earlier: earlier.map(asRead), current: asRead(current) };
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
    { row: `channel ${content.channelId}`, action: `${verb}-${content.kind}`, subject: id },
    (trx) => work(trx, content),
    // Servers remove the channel and the lists that contain it from their caches, and readers of the channel are sent
    // the comment's change, which is numbered in the same transaction.
    { kind: 'channel', channelId: content.channelId },
  );
  return content;
}
