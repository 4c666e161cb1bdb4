import { commentId } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { type Admin, AdminRefused, audited } from './admin.ts';
import {
  deleteComment,
  deleteHiddenChannel,
  hideChannel,
  hideComment,
  parseContentId,
  showChannel,
  showComment,
  type Words,
} from './moderated-content.ts';
import { showTable, toTime } from './show-table.ts';

const mostShown = 50;

/** @param id of a channel or a comment, here and below */
export async function hide(admin: Admin, id: string): Promise<void> {
  const nowMs = admin.now();
  await change(admin, id, 'hide', (trx, words) =>
    words.kind === 'channel'
      ? hideChannel(trx, words.channelId, nowMs)
      : hideComment(trx, words, nowMs),
  );
  admin.say(`Hidden. To show it again: show ${id}`);
}

export async function show(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'show', (trx, words) =>
    words.kind === 'channel' ? showChannel(trx, words.channelId) : showComment(trx, words),
  );
  admin.say('Shown again.');
}

/** For good, a channel with all its comments. Its cover goes with a later sweep. */
export async function deleteWords(admin: Admin, id: string): Promise<void> {
  await change(admin, id, 'delete', async (trx, words) => {
    if (words.kind === 'comment') return deleteComment(trx, words);
    if (!(await isHidden(trx, words.channelId))) {
      await hideChannel(trx, words.channelId, admin.now());
    }
  });
  const { kind, channelId } = parseContentId(id);
  if (kind === 'channel') await deleteHiddenChannel(admin.db, channelId);
  admin.say('Deleted for good.');
}

/** The newest channels whose name has these letters, hidden ones too. */
export async function listChannels({ db, say }: Admin, search = ''): Promise<void> {
  const channels = await db
    .selectFrom('channels')
    .innerJoin('accounts', 'accounts.id', 'channels.account_id')
    .select(['channels.id', 'channels.name', 'comment_count', 'hidden_at_ms', 'email'])
    .orderBy('channels.id', 'desc')
    .execute();
  const found = channels.filter(({ id, name }) =>
    `${id} ${name}`.toLowerCase().includes(search.toLowerCase()),
  );
  showTable(
    say,
    ['channel', 'name', 'by', 'comments', ''],
    found
      .slice(0, mostShown)
      .map((one) => [
        one.id,
        one.name,
        one.email,
        String(one.comment_count),
        one.hidden_at_ms === null ? '' : 'hidden',
      ]),
  );
  if (found.length > mostShown) say(`… and ${found.length - mostShown} more: search for them`);
}

/** The newest comments of a channel, hidden ones too, the latest last. */
export async function listComments({ db, say }: Admin, id: string): Promise<void> {
  const { channelId } = parseContentId(id);
  const newest = async (table: 'comments' | 'hidden_comments') => {
    const rows = await db
      .selectFrom(`${table as 'comments'} as comments`)
      .innerJoin('accounts', 'accounts.id', 'comments.account_id')
      .select(['number', 'text', 'email', 'comments.created_at_ms'])
      .where('channel_id', '=', channelId)
      .orderBy('number', 'desc')
      .limit(mostShown)
      .execute();
    return rows.map((row) => ({ ...row, state: table === 'comments' ? '' : 'hidden' }));
  };
  const all = [...(await newest('comments')), ...(await newest('hidden_comments'))];
  showTable(
    say,
    ['comment', 'by', 'at', '', 'text'],
    all
      .sort((a, b) => a.number - b.number)
      .slice(-mostShown)
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
  work: (trx: Database, words: Words) => Promise<void>,
): Promise<void> {
  const words = parseContentId(id);
  await audited(
    admin,
    { action: `${verb}-${words.kind}`, subject: id },
    (trx) => work(trx, words),
    // What the servers keep of the channel, and of the lists it is in, is dropped.
    { kind: 'channel', channelId: words.channelId },
  );
}

/** @throws AdminRefused when there is no such channel */
async function isHidden(trx: Database, channelId: string): Promise<boolean> {
  const channel = await trx
    .selectFrom('channels')
    .select('hidden_at_ms')
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (!channel) throw new AdminRefused('There is no such channel.');
  return channel.hidden_at_ms !== null;
}
