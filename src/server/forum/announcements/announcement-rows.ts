import type { Announcement } from '../../../shared/announcements.ts';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import type { Database } from '../../database/tables.ts';
import { type CommentRowKey, isAt } from '../comments/comment-keys.ts';
import type { AnnouncementContent } from './announcement-content.ts';

/** Stores that a comment is an announcement, in the transaction that stores it. */
export async function insertAnnouncement(
  trx: Database,
  { channelId, number }: CommentKey,
  { untilDay, endsAtMs, confirm }: AnnouncementContent,
): Promise<void> {
  const row = {
    channel_id: channelId,
    number,
    until_day: untilDay,
    ends_at_ms: endsAtMs,
    asks_confirmation: Number(confirm),
    told_at_ms: null,
    reminded_at_ms: null,
  };
  await trx.insertInto('announcements').values(row).execute();
}

/** Until when those of these comments that are announcements stand on top of home, by comment id. Makes one query. */
export async function findAnnouncements(
  db: Database,
  keys: CommentRowKey[],
): Promise<Map<string, Announcement>> {
  if (keys.length === 0) return new Map();
  const rows = await db.selectFrom('announcements').selectAll().where(isAt(keys)).execute();
  return new Map(
    rows.map(({ channel_id, number, until_day, asks_confirmation }) => [
      commentId(channel_id, number),
      { until: until_day, confirm: asks_confirmation === 1 },
    ]),
  );
}
