import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** Begins the open secret polls of a restored database anew, since backups have neither their voters nor their counts. */
export async function restartSecretPolls(db: Database, nowMs: number): Promise<void> {
  const isMeant = sql<SqlBool>`is_secret = 1 and closed_at_ms is null`;
  await sql`
    insert into secret_counts (channel_id, number, position)
    select channel_id, number, position from poll_options
    where (channel_id, number) in (select channel_id, number from polls where ${isMeant})`.execute(
    db,
  );
  await db.updateTable('polls').set({ restarted_at_ms: nowMs }).where(isMeant).execute();
}
