import type { Channel } from '../../shared/channels.ts';
import { shareCard } from '../../shared/image-variants.ts';
import type { PageHead } from '../../shared/page-data.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { isSiteImage } from '../components/image-sources.ts';
import { texts } from '../texts.ts';
import type { Page } from './match-page.ts';

const siteImage = '/tertulia.png';
const descriptionChars = 160;

const ownTitles = {
  home: null,
  login: texts.menuSignIn,
  register: texts.createAccount,
  create: texts.createChannel,
  profile: texts.menuProfile,
  password: texts.newPassword,
  'not-found': 'NotFound',
} as const;

/** What a page says of itself; the server writes it into the head, the browser keeps it current. */
export function pageHead(page: Page, channel: Channel | undefined): PageHead {
  if (page.name !== 'channel') return head(ownTitles[page.name], texts.lede, siteImage);
  if (!channel) return head(null, texts.lede, siteImage);
  return head(channel.name, shorten(channel.description), previewImage(channel.cover));
}

function head(title: string | null, description: string, image: string): PageHead {
  return { title: title ? `${title} · ${texts.siteName}` : texts.siteName, description, image };
}

function previewImage(cover: string): string {
  if (isSiteImage(cover)) return assetRoutes.form(cover, shareCard.file);
  // Tiles would be an SVG, which previews do not show.
  return cover || siteImage;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= descriptionChars) return line;
  return `${characters.slice(0, descriptionChars - 1).join('')}…`;
}
