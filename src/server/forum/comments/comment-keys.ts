import { type SqlBool, sql } from 'kysely';

/** The primary key of a comment, and of what belongs to it. */
export interface CommentRowKey {
  channel_id: string;
  number: number;
}

/** Condition on `channel_id` and `number`: one range of an index for each channel. */
export function isAt(keys: CommentRowKey[]) {
  const channels = [...Map.groupBy(keys, ({ channel_id }) => channel_id)];
  const conditions = channels.map(([channelId, ofChannel]) => {
    const numbers = [...new Set(ofChannel.map(({ number }) => number))];
    return sql`(channel_id = ${channelId} and number in (${sql.join(numbers)}))`;
  });
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
