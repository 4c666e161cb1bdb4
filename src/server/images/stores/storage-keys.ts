import { formExtension, pictureForms, shareCard } from '../../../shared/image-variants.ts';
import type { Tables } from '../../database/tables.ts';

/** The form that is the whole picture, in the format it came in. */
export const fullForm = 'full';

/** Where a form of a picture lies in the image store. */
export function objectKey(pictureId: string, form: string): string {
  return `${pictureId}.${form}`;
}

/** @param fullType type of the whole picture, which alone keeps the format it came in */
export function contentTypeOf(form: string, fullType: string): string {
  if (form === fullForm) return fullType;
  return form === shareCard.file ? 'image/jpeg' : `image/${formExtension}`;
}

/** The picture that an object of the store belongs to. */
export function pictureIdOf(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

/** The widths in which a picture is kept, smallest first. */
export function keptWidths(row: Pick<Tables['images'], 'use' | 'largest_form'>): number[] {
  return pictureForms[row.use].widths.filter((width) => width <= row.largest_form);
}

/** Every form that is kept of a picture, the whole one first. */
export function keptForms(row: Pick<Tables['images'], 'use' | 'largest_form'>): string[] {
  const card = row.use === 'cover' ? [shareCard.file] : [];
  return [fullForm, ...keptWidths(row).map(formName), ...card];
}

/** The form of this width in pixels. */
export function formName(width: number): string {
  return `${width}.${formExtension}`;
}

/** The keys of everything that is kept of a picture, as accept-image.ts writes it. */
export function objectKeysOf(
  picture: Pick<Tables['images'], 'picture_id' | 'use' | 'largest_form'>,
): string[] {
  return keptForms(picture).map((form) => objectKey(picture.picture_id, form));
}

/** What comes after a picture's id in a key. */
export function formOf(key: string): string {
  return key.slice(key.indexOf('.') + 1);
}
