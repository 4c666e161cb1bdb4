import sharp, { type Metadata, type Sharp } from 'sharp';
import { ApiError } from '../http/api-error.ts';
import { decodingCost, mostBytes } from './decoding-cost.ts';

// Closes every way into the decoders but the five formats; no other bytes reach any parser.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
// Images differ; what one decode leaves behind serves no other.
sharp.cache(false);

/** A photo of a good phone has 12 million; more than this is an attack on memory. */
const maxPixels = 24_000_000;
/** As JPEG has it. Decoders keep some hundred rows, so that a wide one costs much with few pixels. */
const maxSourceSide = 65_535;

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pngTexts = ['tEXt', 'zTXt', 'iTXt'];

export interface ImageSource {
  metadata: Metadata;
  /** The image, decoded when it is used. */
  image: Sharp;
  /** Bytes of memory that it takes to decode it and write it anew. */
  cost: number;
}

/**
 * Opens an uploaded image and reads its header.
 * @throws ApiError `not_an_image`, `image_too_large`; or what its decoder says
 */
export async function openImage(uploaded: Buffer): Promise<ImageSource> {
  const bytes = withoutPngTexts(uploaded);
  if (bytes.length === 0) throw new ApiError('not_an_image');
  // Told below, with a reason.
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format, width, height, compression } = metadata;
  if (format === 'heif' && compression !== 'av1') throw new ApiError('not_an_image');

  const pixels = Math.max(width * height, format === 'heif' ? largestHeifImage(bytes) : 0);
  if (pixels > maxPixels || Math.max(width, height) > maxSourceSide) {
    throw new ApiError('image_too_large');
  }
  const cost = decodingCost(metadata, pixels);
  if (cost > mostBytes) {
    const detail =
      'Abrir esta imagen necesita demasiada memoria. Guárdala más pequeña, o como JPEG, y vuelve a subirla.';
    throw new ApiError('image_too_large', { detail });
  }
  return {
    metadata,
    cost,
    image: sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }),
  };
}

/** A PNG's texts are unpacked with its header: 7 kB become 7 MB, as often as the file says. */
function withoutPngTexts(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) return bytes;
  // One buffer, not one for each of the million chunks that a file may have.
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = bytes.copy(kept, 0, 0, pngSignature.length);
  for (let at = pngSignature.length; at < bytes.length; ) {
    // Length, type, data and checksum; what is cut off is left to the decoder.
    const end = at + 8 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : bytes.length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (!pngTexts.includes(type)) length += bytes.copy(kept, length, at, end);
    at = end;
  }
  return kept.subarray(0, length);
}

/**
 * Pixels of the largest image in a HEIF file: transparency is one of its own and may be larger than
 * the image. The decoder refuses an image that turns out larger than its `ispe` box says.
 */
function largestHeifImage(bytes: Buffer): number {
  let largest = 0;
  // Length and type of the box, then version and flags, width, height.
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 4)) {
    if (at < 4 || bytes.readUInt32BE(at - 4) !== 20 || at + 16 > bytes.length) continue;
    largest = Math.max(largest, bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12));
  }
  return largest;
}
