import { commentId } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { type Admin, AdminError, audited } from './admin.ts';
import {
  type Content,
  deleteComment,
  deleteHiddenChannel,
  hideChannel,
  hideComment,
  parseContentId,
  showChannel,
  showComment,
} from './moderated-content.ts';
import { printTable, toTime } from './print-table.ts';

const maxShown = 50;

/** Hides a channel or comment from all visitors. */
export async function hide(admin: Admin, id: string): Promise<void> {
  const nowMs = admin.now();
  await change(admin, id, 'hide', (trx, content) =>
    content.kind === 'channel'
      ? hideChannel(trx, content.channelId, nowMs)
      : hideComment(trx, content, nowMs),
  );
  admin.print(`Hidden. To show it again: show ${id}`);
}

/** Shows what was hidden. */
export async function show(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'show', (trx, content) =>
    content.kind === 'channel' ? showChannel(trx, content.channelId) : showComment(trx, content),
  );
  admin.print('Shown again.');
}

/** Deletes permanently, a channel with all its comments. The sweep removes its cover later. */
export async function deleteContent(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'delete', async (trx, content) => {
    if (content.kind === 'comment') return deleteComment(trx, content);
    if (!(await isHidden(trx, content.channelId))) {
      await hideChannel(trx, content.channelId, admin.now());
    }
  });
  const { kind, channelId } = parseContentId(id);
  if (kind === 'channel') await deleteHiddenChannel(admin.db, channelId);
  admin.print('Deleted permanently.');
}

/** Lists the newest channels whose name or id contains the text, including hidden ones. */
export async function listChannels({ db, print }: Admin, search = ''): Promise<void> {
  const channels = await db
    .selectFrom('channels')
    .innerJoin('accounts', 'accounts.id', 'channels.account_id')
    .select(['channels.id', 'channels.name', 'comment_count', 'hidden_at_ms', 'email'])
    .orderBy('channels.id', 'desc')
    .execute();
  const found = channels.filter(({ id, name }) =>
    `${id} ${name}`.toLowerCase().includes(search.toLowerCase()),
  );
  printTable(
    print,
    ['channel', 'name', 'by', 'comments', ''],
    found
      .slice(0, maxShown)
      .map((one) => [
        one.id,
        one.name,
        one.email,
        String(one.comment_count),
        one.hidden_at_ms === null ? '' : 'hidden',
      ]),
  );
  if (found.length > maxShown) print(`… and ${found.length - maxShown} more: search for them`);
}

/** Lists the newest comments of a channel, including hidden ones, oldest first. */
export async function listComments({ db, print }: Admin, id: string): Promise<void> {
  const { channelId } = parseContentId(id);
  const newest = async (table: 'comments' | 'hidden_comments') => {
    const rows = await db
      .selectFrom(`${table as 'comments'} as comments`)
      .innerJoin('accounts', 'accounts.id', 'comments.account_id')
      .select(['number', 'text', 'email', 'comments.created_at_ms'])
      .where('channel_id', '=', channelId)
      .orderBy('number', 'desc')
      .limit(maxShown)
      .execute();
    return rows.map((row) => ({ ...row, state: table === 'comments' ? '' : 'hidden' }));
  };
  const all = [...(await newest('comments')), ...(await newest('hidden_comments'))];
  printTable(
    print,
    ['comment', 'by', 'at', '', 'text'],
    all
      .sort((a, b) => a.number - b.number)
      .slice(-maxShown)
      .map((one) => [
        commentId(channelId, one.number),
        one.email,
        toTime(one.created_at_ms),
        one.state,
        one.text,
      ]),
  );
}

async function change(
  admin: Admin,
  id: string,
  verb: 'hide' | 'show' | 'delete',
  work: (trx: Database, content: Content) => Promise<void>,
): Promise<void> {
  const content = parseContentId(id);
  await audited(
    admin,
    { action: `${verb}-${content.kind}`, subject: id },
    (trx) => work(trx, content),
    // The servers drop the channel, and the lists that contain it, from their caches.
    { kind: 'channel', channelId: content.channelId },
  );
}

/** @throws AdminError when there is no such channel */
async function isHidden(trx: Database, channelId: string): Promise<boolean> {
  const channel = await trx
    .selectFrom('channels')
    .select('hidden_at_ms')
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (!channel) throw new AdminError('There is no such channel.');
  return channel.hidden_at_ms !== null;
}
