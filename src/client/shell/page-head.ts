import type { Channel } from '../../shared/channels.ts';
import { shareCard } from '../../shared/image-variants.ts';
import type { PageData, PageHead } from '../../shared/page-data.ts';
import { pages } from '../../shared/pages.ts';
import type { Person } from '../../shared/people.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { isSiteImage } from '../components/image-sources.ts';
import { personTexts } from '../people/person-texts.ts';
import type { Page } from '../router/match-page.ts';
import { texts } from '../texts.ts';

const siteImage = '/tertulia.png';
const descriptionChars = 160;

/** What a page is about: a channel, a person, or the words that are searched for. */
type Subject = Channel | Person | string;

/** Title, description and image of the page that the server renders from these data. */
export function subjectOf(data: PageData): Subject | undefined {
  if (data.page === 'channel') return data.channel;
  if (data.page === 'user') return data.person;
  return data.page === 'search' ? data.q : undefined;
}

/**
 * The words that are searched for: what is typed is in the address before anything is found.
 * @param address path and query
 */
export function searchedWords(page: Page, address: string): string | undefined {
  if (page.name !== 'search') return undefined;
  return new URLSearchParams(address.slice(address.indexOf('?'))).get('q') ?? undefined;
}

/**
 * Title, description and preview image of a page: the server renders them, the browser updates them.
 * @param subject what the page is about, if it is known
 */
export function pageHead(page: Page, subject: Subject | undefined): PageHead {
  const { title } = pages[page.name];
  if (!subject) return head(title, texts.lede, siteImage);
  if (typeof subject === 'string')
    return head(`${shorten(subject)} · ${title}`, texts.lede, siteImage);
  if (!('cover' in subject))
    return head(subject.name, personTexts.aboutPerson(subject.name), siteImage);
  return head(subject.name, shorten(subject.description), previewImage(subject.cover));
}

function head(title: string | undefined, description: string, image: string): PageHead {
  return { title: title ? `${title} · ${texts.siteName}` : texts.siteName, description, image };
}

function previewImage(cover: string): string {
  if (isSiteImage(cover)) return assetRoutes.variant(cover, shareCard.file);
  // Without a cover, not the channel's tiles: previews do not show SVG images.
  return cover || siteImage;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // A code point takes two code units at most.
  const characters = [...line.slice(0, 2 * descriptionChars + 2)];
  return characters[descriptionChars] === undefined
    ? line
    : `${characters.slice(0, descriptionChars - 1).join('')}…`;
}
