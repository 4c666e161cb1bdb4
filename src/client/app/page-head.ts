import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';
import { ownWords } from '../../shared/own-words.ts';
import type { PageData, PageHead, Site } from '../../shared/page-data.ts';
import { pages } from '../../shared/pages.ts';
import type { Person } from '../../shared/people.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { siteNameOf, siteTile } from '../../shared/site-name.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import type { Page } from '../dom/match-page.ts';
import { isSiteImage } from '../ui/image-sources.ts';
import { directions, texts } from '../ui/texts.ts';

const descriptionChars = 160;

/** The subject of a page: a channel, one of its comments, a person, or the search terms. */
export type Subject = Channel | { channel: Channel; comment: Comment } | Person | string;

/**
 * The subject of the page that the server renders from these data.
 * @param commentNumber number of the comment in the address
 */
export function subjectOf(data: PageData, commentNumber?: number): Subject | undefined {
  if (data.page === 'channel') {
    const { channel } = data;
    const comment = channel.comments.find(({ number }) => number === commentNumber);
    return comment ? { channel, comment } : channel;
  }
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
  if ('comment' in subject) return head(site, subject.channel.name, firstWords(subject.comment));
  if ('cover' in subject) return head(site, subject.name, shorten(subject.description));
  const about = `Canales y comentarios de ${subject.name} en ${siteNameOf(site)}.`;
  return head(site, subject.name, about);
}

type Head = Pick<PageHead, 'title' | 'description'>;
type Named = Pick<Site, 'name' | 'welcome'>;

function head(site: Named, title: string | undefined, description: string): Head {
  const parts = title ? [title, siteNameOf(site)] : [siteNameOf(site)];
  return {
    title: parts.join(' · ').replace(directions, ''),
    description: description.replace(directions, ''),
  };
}

function firstWords({ autor, comment }: Comment): string {
  return shorten(`${autor}: ${ownWords(comment) || texts.imagesAlone}`);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const begin = wholeCharacters(line, descriptionChars - 1);
  return begin === line ? line : `${begin}…`;
}
