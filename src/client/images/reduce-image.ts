import type { ImageKind } from '../../shared/file-kind.ts';
import { fitWithin, readableSide } from '../../shared/image-size.ts';
import { isCanvasTrue } from './is-canvas-true.ts';

const quality = 0.9;

/**
 * Rotates the image upright and reduces it to the size that the server stores, if that makes the file smaller.
 * Otherwise returns the file unchanged, as it does when the browser cannot redraw it or falsifies the pixels. Keeps
 * type and name unless the browser cannot write the type or the image would exceed `maxBytes` in it.
 */
export async function reduceImage(file: File, kind: ImageKind, maxBytes: number): Promise<File> {
  // A GIF has few colours and would be larger after redrawing.
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
    // Browsers return a PNG for types that they cannot write: AVIF, and in Safari also WebP.
    if (blob.type === type && blob.size <= maxBytes) return blob;
    return await canvas.convertToBlob({ type: 'image/webp', quality });
  } finally {
    bitmap.close();
  }
}

/**
 * Keeps the original's modification time, which identifies an interrupted upload, and its name if the type is
 * unchanged.
 */
function asFile(blob: Blob, kind: ImageKind, { name, lastModified }: File): File {
  const { type } = blob;
  if (type === `image/${kind}`) return new File([blob], name, { type, lastModified });
  const ending = type.slice('image/'.length).replace('jpeg', 'jpg');
  const baseName = name.replace(/\.[^.]*$/, '');
  return new File([blob], `${baseName}.${ending}`, { type, lastModified });
}
