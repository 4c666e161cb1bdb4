import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';

/** Which page an address shows. */
export type Page = { name: Exclude<PageName, 'channel'> } | { name: 'channel'; id: string };

const names = Object.keys(pages) as PageName[];
const channelPrefix = pageRoutes.channel('');

/** Paths match exactly: '/login/' and '/Login' are not pages of this site. */
export function pageOf(path: string): Page {
  const name = names.find((name) => pages[name].path === path);
  if (name && name !== 'channel') return { name };
  const encodedId = path.startsWith(channelPrefix) ? path.slice(channelPrefix.length) : '';
  if (!encodedId || encodedId.includes('/')) return { name: 'not-found' };
  try {
    return { name: 'channel', id: decodeURIComponent(encodedId) };
  } catch {
    return { name: 'not-found' };
  }
}
