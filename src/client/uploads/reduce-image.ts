import type { ImageKind } from './file-kind.ts';

/** In pixels. The server reduces longer sides to this. */
const maxSide = 2000;
const quality = 0.9;

/**
 * Rotates the image upright and reduces it to at most 2000 pixels a side, if that makes the file
 * smaller. Returns the file unchanged otherwise, or if the browser cannot do it.
 */
export async function reduceImage(file: File, kind: ImageKind): Promise<File> {
  // A GIF has few colours and may be animated: redrawn, it would be larger or lose its animation.
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
    // Browsers that cannot write WebP (Safari) return a PNG, which has transparency too.
    if (blob.type === 'image/webp' || kind !== 'jpeg') return blob;
    return await canvas.convertToBlob({ type: 'image/jpeg', quality });
  } finally {
    bitmap.close();
  }
}

/** Same name and time as the original, because an interrupted upload is identified by them. */
function asFile(blob: Blob, { name, lastModified }: File): File {
  const ending = blob.type.slice('image/'.length).replace('jpeg', 'jpg');
  const baseName = name.replace(/\.[^.]*$/, '');
  return new File([blob], `${baseName}.${ending}`, { type: blob.type, lastModified });
}
