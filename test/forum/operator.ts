import { findAdminCommand } from '../../src/server/operation/command/admin/commands.ts';
import {
  type AdminContext,
  withAdmin,
} from '../../src/server/operation/command/admin/with-admin.ts';
import { eventually } from '../eventually.ts';
import type { Forum } from './forum.ts';

/** Runs an operator's command on a forum. @returns its output */
export async function operate({ services }: Forum, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const parts: Omit<AdminContext, 'db' | 'withTransaction' | 'ledgerFolder'> = {
    config: services.config,
    actorName: 'ada',
    note: 'porque sí',
    now: services.now,
    isNow: words.includes('--now'),
    confirm: async () => true,
    print: (line) => lines.push(line),
  };
  const heard = await nextNews(services, words[0]);
  await withAdmin(parts, findAdminCommand(words.filter((word) => word !== '--now')));
  await heard();
  // The server does this itself within a second.
  if (!services.config.databaseUrl) services.live.publishGap();
  return lines.join('\n');
}

/** Waits until the forum learns of a change of visibility, which PostgreSQL announces a moment later. */
async function nextNews(
  { config, live }: Forum['services'],
  command = '',
): Promise<() => Promise<void>> {
  if (!config.databaseUrl || command !== 'erase') return async () => {};
  await eventually('it listens', async () => live.isListening);
  const heard = new Promise<void>((resolve) => {
    live.watch((news) => {
      if (news !== 'gap' && (news.kind === 'channel' || news.kind === 'profile')) resolve();
    });
  });
  return () => heard;
}

/** Creates a link to set the account's password. @returns the token after its `#` */
export async function passwordToken(forum: Forum, who: string): Promise<string> {
  const said = await operate(forum, 'password', who);
  return /\/password#([A-Za-z0-9_-]{43})\n/.exec(said)?.[1] ?? '';
}
