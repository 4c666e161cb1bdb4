import type { Metadata } from 'sharp';

type Header = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive'
>;

const megabyte = 1_000_000;

/** Memory that decoding and re-encoding one image may take. */
export const maxDecodingBytes = 190 * megabyte;

/**
 * Memory that encoding the largest stored size, four million pixels, takes beside its pixels. This and
 * the figures below were measured with images that compress badly.
 */
const encodingBytes: Record<string, number> = {
  jpeg: 70 * megabyte,
  webp: 80 * megabyte,
  png: 130 * megabyte,
  gif: 130 * megabyte,
  heif: 165 * megabyte,
};
const maxStoredPixels = 4_000_000;

/**
 * Estimates from its header the bytes of memory needed to decode and re-encode an image. Never much
 * below the real figure; sometimes above it.
 * @param pixels of the largest image in the file
 */
export function decodingCost(header: Header, pixels: number): number {
  const storedPixels = Math.min(pixels, maxStoredPixels);
  const encoding = ((encodingBytes[header.format] ?? 0) * storedPixels) / maxStoredPixels;
  return Math.max(encoding, decodingBytes(header, pixels));
}

function decodingBytes(header: Header, pixels: number): number {
  const sampleBytes = header.depth === 'uchar' ? 1 : 2;
  const pixelBytes = header.channels * sampleBytes;
  switch (header.format) {
    case 'heif':
      // The decoder holds full planes, reference frames, interleaved pixels and their rotated copy.
      return 20 * megabyte + pixels * (14 + 2 * pixelBytes);
    case 'gif':
      // The decoder holds the whole image, always with an alpha channel.
      return 40 * megabyte + pixels * 6;
    case 'jpeg':
      // A progressive JPEG holds two-byte coefficients until the last scan.
      return 40 * megabyte + pixels * pixelBytes * (header.isProgressive ? 2 : 0.5);
    default:
      // An interlaced PNG must be held whole; other images are decoded row by row.
      return 40 * megabyte + pixels * pixelBytes * (header.isProgressive ? 1.25 : 0.5);
  }
}
