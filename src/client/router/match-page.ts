import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';

const namesWithId = ['channel', 'user'] as const;
type NameWithId = (typeof namesWithId)[number];

export type Page = { name: Exclude<PageName, NameWithId> } | { name: NameWithId; id: string };

const names = Object.keys(pageRoutes) as (keyof typeof pageRoutes)[];

/** Whether the path leads to a form for guests, from which signed-in users are redirected. */
export const isForGuests = (path: string) => pages[pageOf(path).name].needsSignIn === false;

/** Pages that lead to a session. */
const waysIn: PageName[] = ['login', 'register', 'recover', 'password', 'confirm'];

/** Whether the path is that of a sign-in or sign-up page. Links back never lead to these. */
export const isWayIn = (path: string) => waysIn.includes(pageOf(path).name);

/** Paths match exactly: '/login/' and '/Login' are not pages of this site. */
export function pageOf(path: string): Page {
  const name = names.find(
    (name): name is Exclude<typeof name, NameWithId> => pageRoutes[name] === path,
  );
  if (name) return { name };
  for (const name of namesWithId) {
    const prefix = pageRoutes[name]('');
    const encodedId = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    if (!encodedId || encodedId.includes('/')) continue;
    try {
      return { name, id: decodeURIComponent(encodedId) };
    } catch {
      // Invalid percent-encoding is not an id.
    }
  }
  return { name: 'not-found' };
}
