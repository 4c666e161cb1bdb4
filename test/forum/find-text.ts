import { sql } from 'kysely';
import type { Forum } from './forum.ts';

/**
 * Finds a text, ignoring case, in all columns of a forum's tables.
 * @returns one line for each row that contains it
 */
export async function findText({ services: { db } }: Forum, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    if (/_fts|^sqlite_|^kysely/.test(name)) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    for (const row of rows) {
      const line = `${name} ${JSON.stringify(row)}`;
      if (line.toLowerCase().includes(text.toLowerCase())) found.push(line);
    }
  }
  return found;
}
