import {
  erase,
  hide as hideContent,
  listChannels,
  listComments,
  listVersions,
  show as showContent,
} from '../../moderation/content.ts';
import { printMatches, printTable, printText, toTime } from './print-table.ts';
import type { AdminContext } from './with-admin.ts';

export async function hide(admin: AdminContext, id: string): Promise<void> {
  await hideContent(admin, id);
  admin.print(`Hidden. To show it again: show ${id}`);
}

export async function show(admin: AdminContext, id: string): Promise<void> {
  await showContent(admin, id);
  admin.print('Shown again, or back in the bin of the author who had deleted it.');
}

export async function remove(admin: AdminContext, id: string): Promise<void> {
  await erase(admin, id);
  admin.print('Deleted permanently.');
}

export async function channels(admin: AdminContext, search = ''): Promise<void> {
  const found = await listChannels(admin, search);
  printMatches(
    admin.print,
    ['channel', 'name', 'by', 'comments', ''],
    found.map((row) => [row.id, row.name, row.email, String(row.comment_count), row.state]),
  );
}

export async function comments(admin: AdminContext, id: string): Promise<void> {
  const found = await listComments(admin, id);
  printTable(
    admin.print,
    ['comment', 'by', 'at', '', 'text'],
    found.map(({ id, email, created_at_ms, state, text }) => {
      return [id, email, toTime(created_at_ms), state, text];
    }),
  );
}

export async function versions(admin: AdminContext, id: string): Promise<void> {
  const { print } = admin;
  const { earlier, current } = await listVersions(admin, id);
  for (const { revision, text, replaced_at_ms } of earlier) {
    print(`Revision ${revision}, until ${toTime(replaced_at_ms)} (UTC):`);
    printText(print, text);
  }
  print(`Revision ${current.revision}, the present one:`);
  printText(print, current.text);
}
