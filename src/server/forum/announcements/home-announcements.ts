import { announcedText } from '../../../shared/announced-text.ts';
import type { HomeAnnouncement } from '../../../shared/announcements.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Database } from '../../database/tables.ts';
import { completeComments, selectComments } from '../comments/comment-details.ts';

/** More than three lines show. */
const shownChars = 600;

/** Announcements on top of home at a time. */
const most = 20;

/** The announcements that stand on top of home, newest first. */
export async function listHomeAnnouncements(
  db: Database,
  nowMs: number,
  limit = most,
): Promise<HomeAnnouncement[]> {
  const rows = await selectComments(db)
    .innerJoin('announcements', (join) =>
      join
        .onRef('announcements.channel_id', '=', 'visible_comments.channel_id')
        .onRef('announcements.number', '=', 'visible_comments.number'),
    )
    .where('announcements.ends_at_ms', '>', nowMs)
    .orderBy('visible_comments.created_at_ms', 'desc')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const channels = await db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      rows.map(({ channel_id }) => channel_id),
    )
    .execute();
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const comments = await completeComments(db, rows);
  return comments.map((comment) => {
    const { channelId, number, autor, createdAt, announcement } = comment;
    return {
      id: commentId(channelId, number),
      channel: { _id: channelId, name: names.get(channelId) ?? '' },
      ...{ number, autor, createdAt },
      comment: announcedText(comment).slice(0, shownChars).toWellFormed(),
      confirm: announcement?.confirm ?? false,
    };
  });
}
