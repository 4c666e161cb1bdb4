import type { Metadata } from 'sharp';

type Header = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling'
>;

const megabyte = 1_000_000;

/**
 * Memory in bytes that decoding one image may take. Encoding the stored sizes takes less, as measured with images
 * that compress badly.
 */
export const maxDecodingBytes = 190 * megabyte;

/**
 * Estimates the bytes of memory needed to decode an image from its header. Never much below the real figure,
 * sometimes above it.
 * @param pixels of the largest image in the file
 */
export function decodingCost(header: Header, pixels: number): number {
  const sampleBytes = header.depth === 'uchar' ? 1 : 2;
  const pixelBytes = header.channels * sampleBytes;
  switch (header.format) {
    case 'heif':
      // The decoder has full planes, reference frames, interleaved pixels and their rotated copy in memory at once.
      return 20 * megabyte + pixels * (14 + 2 * pixelBytes);
    case 'webp':
      return 40 * megabyte + pixels * pixelBytes;
    case 'gif':
      // The decoder keeps the whole image in memory, always with an alpha channel.
      return 40 * megabyte + pixels * 6;
    case 'jpeg':
      // A progressive JPEG holds two-byte coefficients until the last scan, half as many with chroma subsampling.
      if (!header.isProgressive) return 40 * megabyte + pixels * pixelBytes * 0.5;
      return 30 * megabyte + pixels * pixelBytes * (header.chromaSubsampling === '4:2:0' ? 1 : 2);
    default:
      // An interlaced PNG is decoded as a whole; other images are decoded row by row.
      return 40 * megabyte + pixels * pixelBytes * (header.isProgressive ? 1.25 : 0.5);
  }
}
