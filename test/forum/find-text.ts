import { sql } from 'kysely';
import type { Forum } from './forum.ts';

/** Where a text occurs in the rows of a forum, in any case and any column: one line for each row. */
export async function findText({ deps: { db } }: Forum, text: string): Promise<string[]> {
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
