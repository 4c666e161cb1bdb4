import sharp, { type Metadata, type Sharp } from 'sharp';
import { limits } from '../../shared/limits.ts';
import { ImageTooLarge, NotAnImage } from './errors.ts';

// libvips' cache is useless here: every upload is a different image.
sharp.cache(false);

const maxPixels = limits.imagePixels;

export interface ImageSource {
  metadata: Metadata;
  /** Decoded lazily, from `bytes`. */
  image: Sharp;
  bytes: Buffer;
}

/**
 * Opens an uploaded image and reads its header. Takes ownership of the bytes and changes them.
 * @throws NotAnImage, ImageTooLarge, or the decoder's error
 */
export async function openImage(bytes: Buffer): Promise<ImageSource> {
  if (bytes.length === 0) throw new NotAnImage(bytes);
  // The decoder accepts the first image of an animated AVIF, but not the brand of such files.
  if (bytes.toString('latin1', 4, 12) === 'ftypavis') bytes.write('avif', 8, 'latin1');
  // No pixel limit here: exceeding it has its own error below.
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format, width, height, compression } = metadata;
  if (format === 'heif' && compression !== 'av1') throw new NotAnImage(bytes);

  if (width * height > maxPixels) throw new ImageTooLarge('pixels');
  return {
    metadata,
    bytes,
    image: sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }),
  };
}
