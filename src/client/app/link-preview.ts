import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';
import { shareCard } from '../../shared/image-variants.ts';
import { ownWords } from '../../shared/own-words.ts';
import type { LinkPreview, PageData, PageHead, Site } from '../../shared/page-data.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { siteTile } from '../../shared/site-name.ts';
import { isSiteImage } from '../ui/image-sources.ts';
import { texts } from '../ui/texts.ts';
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
    title: withoutDirections(`${comment.autor} en ${channel.name}`),
    description: firstWords(comment),
    ...pictureOf(comment, channel),
    commentNumber: comment.number,
  };
}

function firstWords({ comment }: Comment): string {
  return withoutDirections(shorten(ownWords(comment) || texts.imagesAlone));
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
