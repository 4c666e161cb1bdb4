import { imageVariants, shareCard, variantExtension } from '../../../shared/image-variants.ts';
import type { UploadUse } from '../../../shared/images.ts';
import type { Tables } from '../../database/tables.ts';

/** The full-size variant, in the format that fits the upload. */
export const fullVariant = 'full';

export function objectKey(imageId: string, variant: string): string {
  return `${imageId}.${variant}`;
}

export function imageIdOf(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

export function variantOf(key: string): string {
  return key.slice(key.indexOf('.') + 1);
}

/** Name of the variant with this nominal width in pixels. */
export function variantName(width: number): string {
  return `${width}.${variantExtension}`;
}

/** Content type of a variant. @param fullType content type of the full-size variant */
export function contentTypeOf(variant: string, fullType: string): string {
  if (variant === fullVariant) return fullType;
  return variant === shareCard.file ? 'image/jpeg' : `image/${variantExtension}`;
}

/** The nominal widths of an image's stored variants, smallest first; none of a file. */
export function storedWidths({
  use,
  largest_variant,
}: Pick<Tables['images'], 'use' | 'largest_variant'>) {
  if (use === 'file') return [];
  return imageVariants[use].widths.filter((width) => width <= largest_variant);
}

/** Whether images of this use have a share card: those that link previews show. */
export const hasShareCard = (use: UploadUse) => use === 'cover' || use === 'comment';

/** The columns of an image's row that determine the keys of its objects. */
export type StoredObjects = Pick<Tables['images'], 'image_id' | 'use' | 'largest_variant'>;

/** The object keys of all variants of an image, the full size first. */
export function objectKeysOf(image: StoredObjects): string[] {
  const variants = [fullVariant, ...storedWidths(image).map(variantName)];
  if (hasShareCard(image.use)) variants.push(shareCard.file);
  return variants.map((variant) => objectKey(image.image_id, variant));
}
