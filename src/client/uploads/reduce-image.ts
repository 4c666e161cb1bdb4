import type { ImageKind } from './file-kind.ts';

/** The server keeps no side longer than this. */
const maxSide = 2000;
const quality = 0.9;

/**
 * The same image, upright and at most 2000 pixels a side, if that makes the file smaller. The
 * file itself when it does not, or when the browser cannot do it: the server reduces what it gets.
 */
export async function reduceImage(file: File, kind: ImageKind): Promise<File> {
  // Of few colours and often moving: drawn anew it would be larger.
  if (kind === 'gif') return file;
  try {
    const reduced = await redraw(file, kind);
    return reduced && reduced.size < file.size ? asFile(reduced, file) : file;
  } catch (error) {
    console.warn(error);
    return file;
  }
}

async function redraw(file: File, kind: ImageKind): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const scale = maxSide / Math.max(bitmap.width, bitmap.height);
    if (scale >= 1) return undefined;
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, width, height);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
    // Where WebP cannot be written (Safari) it is a PNG, which keeps transparency as well.
    if (blob.type === 'image/webp' || kind !== 'jpeg') return blob;
    return await canvas.convertToBlob({ type: 'image/jpeg', quality });
  } finally {
    bitmap.close();
  }
}

/** Of the same name and time, so that an interrupted upload is known again by them. */
function asFile(blob: Blob, { name, lastModified }: File): File {
  const ending = blob.type.slice('image/'.length).replace('jpeg', 'jpg');
  const baseName = name.replace(/\.[^.]*$/, '');
  return new File([blob], `${baseName}.${ending}`, { type: blob.type, lastModified });
}
