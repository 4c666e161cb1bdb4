/** The form that is the whole picture, in the format it came in. */
export const fullForm = 'full';

/** Where a form of a picture lies in the image store. */
export function objectKey(pictureId: string, form: string): string {
  return `${pictureId}.${form}`;
}

/** The picture that an object of the store belongs to. */
export function pictureIdOf(key: string): string {
  return key.split('.', 1)[0] ?? '';
}
