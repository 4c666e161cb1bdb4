import { imageVariants, variantExtension } from '../../shared/image-variants.ts';
import type { ImageUse } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';

/** With these an `img` chooses the form of a image that suits its place and its screen. */
interface ImageSources {
  src: string;
  srcSet?: string;
  sizes?: string;
}

/** Where a cover is shown: on a card of the home page, or on its channel's page. */
export type CoverPlace = 'card' | 'page';

/** With this, a screen of up to 3.5 dots a pixel is content with the form of 1000. */
const phone = '280px';

/**
 * As wide as the style sheets show a cover. On its own page it is 400 px high, and cut at the
 * sides where there is less room than 1000 px. Phones, whose data is dear, never ask for 2000.
 */
const coverSizes: Record<CoverPlace, string> = {
  card: `(min-width: 1000px) 464px, (min-width: 780px) calc(50vw - 36px), (max-width: 480px) ${phone}, calc(100vw - 42px)`,
  page: `(max-width: 480px) and (min-resolution: 1.5dppx) ${phone}, 1000px`,
};

/** Only the images that this site keeps come in forms. */
export function isSiteImage(url: string): boolean {
  return url.startsWith(assetRoutes.file('images/'));
}

export function coverSources(url: string, place: CoverPlace): ImageSources {
  return sources(url, 'cover', coverSizes[place], 1000);
}

/** @param size CSS pixels, both ways */
export function avatarSources(url: string, size: number): ImageSources {
  return sources(url, 'avatar', `${size}px`, 2 * size);
}

/** @param width in pixels, for whoever knows no srcset */
function sources(url: string, use: ImageUse, sizes: string, width: number): ImageSources {
  if (!isSiteImage(url)) return { src: url };
  const { widths } = imageVariants[use];
  const address = (form: number) => assetRoutes.form(url, `${form}.${variantExtension}`);
  return {
    src: address(widths.find((form) => form >= width) ?? Math.max(...widths)),
    srcSet: widths.map((form) => `${address(form)} ${form}w`).join(', '),
    sizes,
  };
}
