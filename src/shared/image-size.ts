interface Size {
  width: number;
  height: number;
}

const maxPixels = 3_000_000;
/** WebP's own limit. */
const maxSide = 16_383;

/** The text of a phone's screenshot can still be read when it is this wide, and that of a wide strip when it is this high. */
export const readableSide = 720;

/**
 * The size in which an image is stored: with three million pixels at most, and sides of at most 16,383.
 * @param leastSide down to which the number of pixels reduces the shorter side; with 0 it is always kept
 */
export function fitWithin({ width, height }: Size, leastSide = 0): Size {
  const byPixels = Math.sqrt(maxPixels / (width * height));
  const scale = Math.min(
    1,
    maxSide / Math.max(width, height),
    Math.max(byPixels, leastSide / Math.min(width, height)),
  );
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height) };
}
