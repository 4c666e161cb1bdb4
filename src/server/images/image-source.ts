import sharp, { type Metadata, type Sharp } from 'sharp';
import { limits } from '../../shared/limits.ts';
import { decodingCost, maxDecodingBytes } from './decoding-cost.ts';
import { ImageTooLarge, NotAnImage } from './errors.ts';

// libvips' cache is useless here: every upload is a different image.
sharp.cache(false);

const maxPixels = limits.imagePixels;
/** JPEG's own limit. Decoders buffer about a hundred rows, so very wide images cost much memory. */
const maxSourceSide = 65_535;

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pngTexts = ['tEXt', 'zTXt', 'iTXt'];

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
export async function openImage(uploaded: Buffer): Promise<ImageSource> {
  const bytes = withoutPngTexts(uploaded);
  if (bytes.length === 0) throw new NotAnImage(bytes);
  // The decoder accepts the first image of an animated AVIF, but not the brand of such files.
  if (bytes.toString('latin1', 4, 12) === 'ftypavis') bytes.write('avif', 8, 'latin1');
  // No pixel limit here: exceeding it has its own error below.
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format, width, height, compression } = metadata;
  if (format === 'heif' && compression !== 'av1') throw new NotAnImage(bytes);

  const pixels = Math.max(width * height, format === 'heif' ? largestHeifImage(bytes) : 0);
  if (pixels > maxPixels || Math.max(width, height) > maxSourceSide) {
    throw new ImageTooLarge('pixels');
  }
  if (decodingCost(metadata, pixels) > maxDecodingBytes) throw new ImageTooLarge('memory');
  return {
    metadata,
    bytes,
    image: sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }),
  };
}

/** Removes text chunks from a PNG, in place: libvips decompresses each one with the header, from 7 kB to 7 MB. */
function withoutPngTexts(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) return bytes;
  let length = pngSignature.length;
  for (let at = pngSignature.length; at < bytes.length; ) {
    // Length, type, data and checksum. A truncated chunk is left to the decoder.
    const end = at + 8 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : bytes.length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!pngTexts.includes(type)) length += bytes.copy(bytes, length, at, end);
    at = end;
  }
  return bytes.subarray(0, length);
}

/**
 * Pixels of the largest image in a HEIF file: the alpha channel is a separate image and may be larger.
 * The decoder rejects an image that is larger than its `ispe` box says.
 */
function largestHeifImage(bytes: Buffer): number {
  let largest = 0;
  // Box layout: length, type, version and flags, width, height.
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 4)) {
    if (at < 4 || bytes.readUInt32BE(at - 4) !== 20 || at + 16 > bytes.length) continue;
    largest = Math.max(largest, bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12));
  }
  return largest;
}
