import { shareCard } from '../../shared/image-variants.ts';
import type { PageHead, Site } from '../../shared/page-data.ts';
import { assetRoutes } from '../../shared/routes.ts';
import type { Page } from '../dom/match-page.ts';
import { isSiteImage } from '../ui/image-sources.ts';
import { siteTile } from '../ui/texts.ts';
import type { Subject } from './page-head.ts';

/** A generic image, the size of a share card. It has no name on it, since each community has its own. */
const siteImage = '/tertulia.png';

type Preview = Omit<PageHead, 'title' | 'description'>;

/** What previews of a link show besides title and description. Only the server renders it. */
export function sharePreview(
  page: Page,
  subject: Subject | undefined,
  site: Pick<Site, 'name'>,
): Preview {
  const plain = { image: siteImage, isCard: true };
  if (page.name === 'members-only')
    return { ...plain, image: assetRoutes.azulejoImage(siteTile(site)) };
  if (typeof subject !== 'object') return plain;
  if ('comment' in subject)
    return { ...coverOf(subject.channel, plain), commentNumber: subject.comment.number };
  return 'cover' in subject ? coverOf(subject, plain) : plain;
}

function coverOf({ cover }: { cover: string }, plain: Preview): Preview {
  if (isSiteImage(cover)) return { ...plain, image: assetRoutes.variant(cover, shareCard.file) };
  // The channel's tiles are not used: link previews do not show SVG images.
  return cover.startsWith('https:') ? { image: cover, isCard: false } : plain;
}
