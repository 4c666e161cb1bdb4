import { v7 as uuidv7 } from 'uuid';
import { trashMs } from '../../src/server/system/times.ts';
import type { Forum, Person } from './forum.ts';

/** Stores a person's comment that waits for review. @returns its id */
export async function insertPendingPost(
  { services: { db, now } }: Forum,
  { id: account_id }: Pick<Person, 'id'>,
  channelId: string,
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('pending_posts')
    .values({
      id,
      account_id,
      kind: 'comment',
      channel_id: channelId,
      reason: 'first_post',
      content: JSON.stringify({ channelId, text: 'Hola', images: [], replyTo: null }),
      created_at_ms: now(),
      expires_at_ms: now() + trashMs,
      rejected_by: null,
    })
    .execute();
  return id;
}
