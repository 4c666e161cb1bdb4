import { imageVariants, shareCard, variantExtension } from '../../../shared/image-variants.ts';
import type { Tables } from '../../database/tables.ts';

/** The full-size variant, in the format of the upload. */
export const fullVariant = 'full';

/** Key of a variant in the image store. */
export function objectKey(imageId: string, variant: string): string {
  return `${imageId}.${variant}`;
}

/** Content type of a variant. @param fullType content type of the full-size variant */
export function contentTypeOf(variant: string, fullType: string): string {
  if (variant === fullVariant) return fullType;
  return variant === shareCard.file ? 'image/jpeg' : `image/${variantExtension}`;
}

/** Id of the image that an object key belongs to. */
export function imageIdOf(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

/** The nominal widths that an image is stored in, smallest first. */
export function storedWidths(row: Pick<Tables['images'], 'use' | 'largest_form'>): number[] {
  return imageVariants[row.use].widths.filter((width) => width <= row.largest_form);
}

/** Every stored variant of an image, the full size first. */
function storedVariants(row: Pick<Tables['images'], 'use' | 'largest_form'>): string[] {
  const card = row.use === 'cover' ? [shareCard.file] : [];
  return [fullVariant, ...storedWidths(row).map(variantName), ...card];
}

/** Name of the variant with this nominal width in pixels. */
export function variantName(width: number): string {
  return `${width}.${variantExtension}`;
}

/** The object keys of all variants of an image, as accept-image.ts writes them. */
export function objectKeysOf(
  image: Pick<Tables['images'], 'picture_id' | 'use' | 'largest_form'>,
): string[] {
  return storedVariants(image).map((variant) => objectKey(image.picture_id, variant));
}

/** The variant that an object key names. */
export function variantOf(key: string): string {
  return key.slice(key.indexOf('.') + 1);
}
