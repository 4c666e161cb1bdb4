import type { Metadata } from 'sharp';

type Header = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive'
>;

const megabyte = 1_000_000;

/** What one image may take while it is decoded and written anew. */
export const mostBytes = 190 * megabyte;

/**
 * What writing the largest kept size, four million pixels, takes beside its pixels. Measured, as is
 * all below, with images that compress badly (images.fault.ts).
 */
const writingBytes: Record<string, number> = {
  jpeg: 70 * megabyte,
  webp: 80 * megabyte,
  png: 130 * megabyte,
  gif: 130 * megabyte,
  heif: 165 * megabyte,
};
const mostKeptPixels = 4_000_000;

/**
 * How many bytes of memory it takes to decode an image and write it anew, told from its header.
 * Never much less than it really is; sometimes more.
 * @param pixels of its largest image, where the file holds several
 */
export function decodingCost(header: Header, pixels: number): number {
  const keptPixels = Math.min(pixels, mostKeptPixels);
  const writing = ((writingBytes[header.format] ?? 0) * keptPixels) / mostKeptPixels;
  return Math.max(writing, readingBytes(header, pixels));
}

function readingBytes(header: Header, pixels: number): number {
  const sampleBytes = header.depth === 'uchar' ? 1 : 2;
  const pixelBytes = header.channels * sampleBytes;
  switch (header.format) {
    case 'heif':
      // Planes, reference frames, the interleaved pixels and their turned copy, all whole.
      return 20 * megabyte + pixels * (14 + 2 * pixelBytes);
    case 'gif':
      // Whole, and always with transparency.
      return 40 * megabyte + pixels * 6;
    case 'jpeg':
      // Coefficients of two bytes are kept until the last scan.
      return 40 * megabyte + pixels * pixelBytes * (header.isProgressive ? 2 : 0.5);
    default:
      // An interlaced PNG has its last row at its end; others pass row by row.
      return 40 * megabyte + pixels * pixelBytes * (header.isProgressive ? 1.25 : 0.5);
  }
}
