import { formExtension, shareCard } from '../../shared/picture-forms.ts';

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
