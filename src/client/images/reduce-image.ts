import type { ImageKind } from '../../shared/file-kind.ts';
import { fitWithin, readableSide } from '../../shared/image-size.ts';
import { isCanvasTrue } from './is-canvas-true.ts';

const quality = 0.9;

/**
 * Rotates the image upright and reduces it to the size that the server stores, if that makes the file
 * smaller. Returns the file unchanged otherwise, or if the browser cannot do it or falsifies it. Type and name stay,
 * unless the browser cannot write the type or the image would be larger than `maxBytes` in it.
 */
export async function reduceImage(file: File, kind: ImageKind, maxBytes: number): Promise<File> {
  // A GIF has few colours: redrawn, it would be larger.
  if (kind === 'gif') return file;
  try {
    const reduced = await redraw(file, kind, maxBytes);
    return reduced && reduced.size < file.size ? asFile(reduced, kind, file) : file;
  } catch (error) {
    console.warn(error);
    return file;
  }
}

async function redraw(file: File, kind: ImageKind, maxBytes: number): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const { width, height } = fitWithin(bitmap, readableSide);
    if (width === bitmap.width && height === bitmap.height) return undefined;
    if (!(await isCanvasTrue())) return undefined;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, width, height);
    const type = `image/${kind}`;
    const blob = await canvas.convertToBlob({ type, quality });
    // Browsers return a PNG instead of what they cannot write: AVIF, in Safari WebP too.
    if (blob.type === type && blob.size <= maxBytes) return blob;
    return await canvas.convertToBlob({ type: 'image/webp', quality });
  } finally {
    bitmap.close();
  }
}

/**
 * Same time as the original, because an interrupted upload is identified by it, and the same name if
 * the type is the same.
 */
function asFile(blob: Blob, kind: ImageKind, { name, lastModified }: File): File {
  const { type } = blob;
  if (type === `image/${kind}`) return new File([blob], name, { type, lastModified });
  const ending = type.slice('image/'.length).replace('jpeg', 'jpg');
  const baseName = name.replace(/\.[^.]*$/, '');
  return new File([blob], `${baseName}.${ending}`, { type, lastModified });
}
