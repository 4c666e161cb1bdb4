import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** The `application_name` of a server's listening connection, by which a restore detects servers. */
export const listenerName = 'tertulia live';

/** Sends a notification to all connections that listen on the topic, when the transaction commits. */
export async function notifyTopic(db: Database, topic: string, payload: string): Promise<void> {
  await sql`select pg_notify(${topic}, ${payload})`.execute(db);
}
