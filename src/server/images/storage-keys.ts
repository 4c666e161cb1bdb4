import { formExtension, pictureForms, shareCard } from '../../shared/picture-forms.ts';
import type { Tables } from '../database/tables.ts';

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

/** The keys of everything that is kept of a picture, as accept-image.ts writes it. */
export function objectKeysOf(
  picture: Pick<Tables['images'], 'picture_id' | 'use' | 'largest_form'>,
): string[] {
  const widths = pictureForms[picture.use].widths.filter((width) => width <= picture.largest_form);
  const forms = widths.map((width) => `${width}.${formExtension}`);
  if (picture.use === 'cover') forms.push(shareCard.file);
  return [fullForm, ...forms].map((form) => objectKey(picture.picture_id, form));
}

/** What comes after a picture's id in a key. */
export function formOf(key: string): string {
  return key.slice(key.indexOf('.') + 1);
}
