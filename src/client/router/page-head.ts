import type { Channel } from '../../shared/channels.ts';
import { shareCard } from '../../shared/image-variants.ts';
import type { PageHead } from '../../shared/page-data.ts';
import { pages } from '../../shared/pages.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { isSiteImage } from '../components/image-sources.ts';
import { texts } from '../texts.ts';
import type { Page } from './match-page.ts';

const siteImage = '/tertulia.png';
const descriptionChars = 160;

/**
 * Title, description and preview image of a page: the server renders them, the browser updates them.
 * @param channel of a channel page, if it is known
 */
export function pageHead(page: Page, channel: Channel | undefined): PageHead {
  if (!channel) return head(pages[page.name].title, texts.lede, siteImage);
  return head(channel.name, shorten(channel.description), previewImage(channel.cover));
}

function head(title: string | undefined, description: string, image: string): PageHead {
  return { title: title ? `${title} · ${texts.siteName}` : texts.siteName, description, image };
}

function previewImage(cover: string): string {
  if (isSiteImage(cover)) return assetRoutes.variant(cover, shareCard.file);
  // Not the channel's tiles: previews do not show SVG images.
  return cover || siteImage;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters[descriptionChars] === undefined
    ? line
    : `${characters.slice(0, descriptionChars - 1).join('')}…`;
}
