import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** `application_name` of a server's listening connection, from which a restore detects running servers. */
export const listenerName = 'tertulia live';

/** Notifies all connections that listen on the topic, when the transaction commits. */
export async function notifyTopic(db: Database, topic: string, payloads: string[]): Promise<void> {
  await sql`select pg_notify(${topic}, payload) from unnest(${payloads}::text[]) as given (payload)`.execute(
    db,
  );
}
