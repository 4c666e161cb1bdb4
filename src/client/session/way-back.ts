import type { Site } from '../../shared/page-data.ts';
import { siteNameOf } from '../../shared/site-name.ts';
import { entryState, type Place, type PlaceLink } from '../dom/entry-state.ts';
import { isWayIn, pageOf } from '../dom/match-page.ts';
import { localStore } from '../storage/browser-storage.ts';

const key = 'place';
const keptMs = 86_400_000;

/** The page of this tab before the first sign-in or sign-up page. */
const placeBefore = (): Place | undefined => entryState().cameFrom ?? placeBeforeScripts();

/**
 * Like `placeBefore`, for links that were followed before the scripts ran. Without `navigation`, only the last page is
 * known.
 */
function placeBeforeScripts(): Place | undefined {
  const urls = window.navigation
    ? navigation
        .entries()
        .slice(0, navigation.currentEntry?.index)
        .map(({ url }) => url)
    : [document.referrer];
  const own = urls.filter((url) => url?.startsWith(`${location.origin}/`));
  const places = own.map((url) => new URL(url ?? '')).filter(({ pathname }) => !isWayIn(pathname));
  const last = places.at(-1);
  return last && { href: last.pathname + last.search + last.hash };
}

/**
 * Stores the page from before signing in or up for the tab that a link in an e-mail opens, until it is offered or
 * somebody signs out, for at most a day.
 */
export function keepPlace(): void {
  const place = placeBefore();
  discardPlace();
  // A URL contains no space.
  if (place) localStore.set(key, `${Date.now()} ${place.href}`);
}

export const discardPlace = () => localStore.remove(key);

function takeKept(): Place | undefined {
  const [keptAt, href] = (localStore.get(key) ?? '').split(' ');
  discardPlace();
  return href && Date.now() - Number(keptAt) < keptMs ? { href } : undefined;
}

/**
 * A link to the page from before signing in or up; null if it is the home page, unknown, or not a page of this site,
 * such as `//example.org`.
 */
export function linkBack(site: Site): PlaceLink | null {
  const place = placeBefore() ?? takeKept();
  if (!place) return null;
  const { href, title, ...position } = place;
  const path = href.split(/[?#]/, 1)[0] ?? '';
  if (['home', 'not-found'].includes(pageOf(path).name) || isWayIn(path)) return null;
  // Guests have seen no title of the page that they wanted.
  if (site.readers === 'members') return { href, label: 'Ir a donde querías', ...position };
  const siteSuffix = ` · ${siteNameOf(site)}`;
  const pageTitle = title?.endsWith(siteSuffix) ? title.slice(0, -siteSuffix.length) : title;
  return { href, label: `Volver a ${pageTitle ?? 'donde estabas'}`, ...position };
}
