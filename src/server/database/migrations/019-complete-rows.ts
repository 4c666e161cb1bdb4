import { type Kysely, sql } from 'kysely';

/**
 * Completes rows that versions before 008 and 010 wrote: names get their keys, and sessions without an id, which
 * nobody could end, are deleted. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from accounts where name_key is null and erased_at_ms is null
  `.execute(db);
  for (const { id, name } of rows) {
    await sql`update accounts set name_key = ${nameKey(name)} where id = ${id}`.execute(db);
  }
  await sql`delete from sessions where id is null or last_used_at_ms is null`.execute(db);
}

/** Without case and accents, which the two engines would remove differently. */
function nameKey(name: string): string {
  const folded = name.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKD').replace(/\p{M}/gu, '');
}
