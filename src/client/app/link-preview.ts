import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';
import { timeText } from '../../shared/event-texts.ts';
import { shareCard } from '../../shared/image-variants.ts';
import { ownWords } from '../../shared/own-words.ts';
import type { LinkPreview, PageData, PageHead, Site } from '../../shared/page-data.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { siteTile } from '../../shared/site-name.ts';
import { carriedName } from '../conversation/carried-name.ts';
import { isSiteImage } from '../ui/image-sources.ts';
import { shorten, withoutDirections } from './page-head.ts';

type Picture = Pick<LinkPreview, 'image' | 'isCard'>;

/**
 * Makes the preview of a link to a page on other sites. Only the server needs it: a script changes nothing that they read.
 * @param head of the page
 * @param commentNumber number of the comment in the address. One that is not shown has the preview of its channel
 */
export function linkPreview(
  head: PageHead,
  data: PageData,
  commentNumber: number | undefined,
  site: Pick<Site, 'name'>,
): LinkPreview {
  if (data.page !== 'channel') return { ...head, ...card(assetRoutes.azulejoCard(siteTile(site))) };
  const { channel } = data;
  const comment = channel.comments.find(({ number }) => number === commentNumber);
  if (!comment) return { ...head, ...coverOf(channel) };
  return {
    title: withoutDirections(titleOf(comment, channel)),
    description: firstWords(comment),
    ...pictureOf(comment, channel),
    commentNumber: comment.number,
  };
}

/** With the next date of a comment that has dates: chats show little more than the title. */
function titleOf({ autor, event }: Comment, channel: Channel): string {
  if (!event) return `${autor} en ${channel.name}`;
  const date = event.dates.find(({ phase }) => phase !== 'over') ?? event.dates.at(-1);
  return date ? `${event.title}: ${timeText(date)}` : event.title;
}

function firstWords({ comment, event, files }: Comment): string {
  const words = ownWords(comment) || event?.location || carriedName({ event: null, files });
  return withoutDirections(shorten(words));
}

function pictureOf({ images: [first] }: Comment, channel: Channel): Picture {
  return first ? card(assetRoutes.variant(first.url, shareCard.file)) : coverOf(channel);
}

function coverOf({ _id, cover }: Channel): Picture {
  if (isSiteImage(cover)) return card(assetRoutes.variant(cover, shareCard.file));
  if (cover.startsWith('https:')) return { image: cover, isCard: false };
  return card(assetRoutes.azulejoCard(_id));
}

const card = (image: string): Picture => ({ image, isCard: true });
