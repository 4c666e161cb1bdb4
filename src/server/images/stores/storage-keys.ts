import { imageVariants, shareCard, variantExtension } from '../../../shared/image-variants.ts';
import type { Tables } from '../../database/tables.ts';

/** The form that is the whole image, in the format it came in. */
export const fullVariant = 'full';

/** Where a form of an image lies in the image store. */
export function objectKey(imageId: string, form: string): string {
  return `${imageId}.${form}`;
}

/** @param fullType type of the whole image, which alone keeps the format it came in */
export function contentTypeOf(form: string, fullType: string): string {
  if (form === fullVariant) return fullType;
  return form === shareCard.file ? 'image/jpeg' : `image/${variantExtension}`;
}

/** The image that an object of the store belongs to. */
export function imageIdOf(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

/** The widths in which an image is kept, smallest first. */
export function keptWidths(row: Pick<Tables['images'], 'use' | 'largest_form'>): number[] {
  return imageVariants[row.use].widths.filter((width) => width <= row.largest_form);
}

/** Every form that is kept of an image, the whole one first. */
function storedVariants(row: Pick<Tables['images'], 'use' | 'largest_form'>): string[] {
  const card = row.use === 'cover' ? [shareCard.file] : [];
  return [fullVariant, ...keptWidths(row).map(variantName), ...card];
}

/** The form of this width in pixels. */
export function variantName(width: number): string {
  return `${width}.${variantExtension}`;
}

/** The keys of everything that is kept of an image, as accept-image.ts writes it. */
export function objectKeysOf(
  image: Pick<Tables['images'], 'picture_id' | 'use' | 'largest_form'>,
): string[] {
  return storedVariants(image).map((form) => objectKey(image.picture_id, form));
}

/** What comes after an image's id in a key. */
export function formOf(key: string): string {
  return key.slice(key.indexOf('.') + 1);
}
