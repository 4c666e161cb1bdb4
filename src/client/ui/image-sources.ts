import { imageVariants, variantExtension } from '../../shared/image-variants.ts';
import type { ImageUse } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';

/** Attributes with which an `img` chooses the variant that suits its size and the screen. */
interface ImageSources {
  src: string;
  srcSet?: string;
  sizes?: string;
}

/** Where a cover is shown: on a card of the home page, or on its channel's page. */
export type CoverSize = 'card' | 'page';

/** Smaller than phones are, so that screens of up to 3.5 dots per pixel load the 1000 px variant. */
const phone = '280px';

/**
 * The width at which the style sheets show a cover. In a row of the home page it is 72 px high, on the channel page
 * 400 px, and cropped at the sides. Phones never load the 2000 px variant there, to save data.
 */
const coverSizes: Record<CoverSize, string> = {
  card: '(min-width: 1080px) 307px, (min-width: 780px) calc(50vw - 36px), 180px',
  page: `(max-width: 480px) and (min-resolution: 1.5dppx) ${phone}, 1000px`,
};

const siteImages = assetRoutes.file('images/');

/** Whether the image is stored on this site. Only these images have variants. */
export function isSiteImage(url: string): boolean {
  return url.startsWith(siteImages);
}

export function coverSources(url: string, size: CoverSize): ImageSources {
  // No card is wider than 504 px, and home repeats its variants for each.
  return sources(url, 'cover', coverSizes[size], 1000, size === 'card' ? 1000 : undefined);
}

/**
 * One variant for all screens: a page shows many avatars, and a `srcset` for each would be an eighth of its HTML.
 * @param size width and height in CSS pixels
 */
export function avatarSource(url: string, size: number): string {
  return isSiteImage(url) ? smallestOf(url, 'avatar', 2 * size) : url;
}

/** Sources of an image in a comment with `count` images: a single one fills its box, more are in two columns. */
export function commentImageSources(url: string, count: number): ImageSources {
  const sizes = count === 1 ? '(max-width: 560px) 280px, 480px' : '240px';
  return sources(url, 'comment', sizes, 500);
}

/**
 * @param width of the `src`, in pixels, for browsers without srcset
 * @param largest width of the widest variant that is offered
 */
function sources(
  url: string,
  use: ImageUse,
  sizes: string,
  width: number,
  largest = Number.POSITIVE_INFINITY,
): ImageSources {
  if (!isSiteImage(url)) return { src: url };
  const widths = imageVariants[use].widths.filter((variant) => variant <= largest);
  return {
    src: smallestOf(url, use, width),
    srcSet: widths.map((variant) => `${variantOf(url, variant)} ${variant}w`).join(', '),
    sizes,
  };
}

/** The smallest variant of at least this width, or else the largest. */
function smallestOf(url: string, use: ImageUse, width: number): string {
  const { widths } = imageVariants[use];
  return variantOf(url, widths.find((variant) => variant >= width) ?? Math.max(...widths));
}

function variantOf(url: string, width: number): string {
  return assetRoutes.variant(url, `${width}.${variantExtension}`);
}
