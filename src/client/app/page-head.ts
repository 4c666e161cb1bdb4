import type { Channel } from '../../shared/channels.ts';
import type { PageData, PageHead, Site } from '../../shared/page-data.ts';
import { pages } from '../../shared/pages.ts';
import type { Person } from '../../shared/people.ts';
import { siteNameOf } from '../../shared/site-name.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import type { Page } from '../router/match-page.ts';
import { directions, texts } from '../ui/texts.ts';

const descriptionChars = 160;

/** The subject of a page: a channel, a person, or the search terms. */
type Subject = Channel | Person | string;

/** The subject of the page that the server renders from these data. */
export function subjectOf(data: PageData): Subject | undefined {
  if (data.page === 'channel') return data.channel;
  if (data.page === 'user') return data.person;
  return data.page === 'search' ? data.q : undefined;
}

/**
 * The search terms in an address.
 * @param address path and query
 */
export function searchedWords(page: Page, address: string): string | undefined {
  if (page.name !== 'search') return undefined;
  return new URLSearchParams(address.slice(address.indexOf('?'))).get('q') ?? undefined;
}

/**
 * Title and description of a page: the server renders them, the browser updates them.
 * @param subject undefined while it is unknown
 */
export function pageHead(
  page: Page,
  subject: Subject | undefined,
  site: Named = { name: '', welcome: '' },
): Head {
  const { title } = pages[page.name];
  if (page.name === 'members-only') return head(site, title, site.welcome);
  const lede = site.welcome || texts.lede;
  if (!subject) return head(site, title, lede);
  if (typeof subject === 'string') return head(site, `${shorten(subject)} · ${title}`, lede);
  if ('cover' in subject) return head(site, subject.name, shorten(subject.description));
  const about = `Canales y comentarios de ${subject.name} en ${siteNameOf(site)}.`;
  return head(site, subject.name, about);
}

type Head = Pick<PageHead, 'title' | 'description'>;
type Named = Pick<Site, 'name' | 'welcome'>;

function head(site: Named, title: string | undefined, description: string): Head {
  const parts = title ? [title, siteNameOf(site)] : [siteNameOf(site)];
  return {
    title: withoutDirections(parts.join(' · ')),
    description: withoutDirections(description),
  };
}

export const withoutDirections = (text: string): string => text.replace(directions, '');

/** The beginning of a text, on one line. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const begin = wholeCharacters(line, descriptionChars - 1);
  return begin === line ? line : `${begin}…`;
}
