import { type Admin, withAdmin } from '../src/server/admin/admin.ts';
import { runCommand } from '../src/server/admin/admin-commands.ts';
import type { Forum } from './forum.ts';

/** What the person who runs a forum does beside it. @returns what was said */
export async function operate({ deps }: Forum, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const parts: Omit<Admin, 'db'> = {
    config: deps.config,
    actor: 'ada',
    note: 'porque sí',
    now: deps.now,
    say: (line) => lines.push(line),
  };
  await withAdmin(parts, (admin) => runCommand(admin, words));
  return lines.join('\n');
}

/** A link to a new password for the account: what comes after its `#`. */
export async function passwordToken(forum: Forum, who: string): Promise<string> {
  const said = await operate(forum, 'password', who);
  return /\/password#([A-Za-z0-9_-]{43})\n/.exec(said)?.[1] ?? '';
}
