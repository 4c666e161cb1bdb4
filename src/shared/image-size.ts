interface Size {
  width: number;
  height: number;
}

const maxWidth = 2000;
const maxPixels = 3_000_000;
/** WebP's own limit. */
const maxHeight = 16_383;

/** The text of a phone's screenshot can still be read when it is this wide. */
export const readableWidth = 720;

/**
 * The size in which an image is stored: at most 2000 pixels wide, 16,383 high and with three million pixels.
 * @param leastWidth down to which the number of pixels reduces an image; with 0 it is always kept
 */
export function fitWithin({ width, height }: Size, leastWidth = 0): Size {
  const byPixels = Math.sqrt(maxPixels / (width * height));
  const scale = Math.min(
    1,
    maxWidth / width,
    maxHeight / height,
    Math.max(byPixels, leastWidth / width),
  );
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}
