import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** Sends a notification to all connections that listen on the topic, when the transaction commits. */
export async function notifyTopic(db: Database, topic: string, payload: string): Promise<void> {
  await sql`select pg_notify(${topic}, ${payload})`.execute(db);
}
