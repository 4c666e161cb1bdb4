interface Size {
  width: number;
  height: number;
}

const maxPixels = 3_000_000;
/** The limit of WebP. */
const maxSide = 16_383;

/** Shorter side at which a phone screenshot, and a wide strip with text, is still readable. */
export const readableSide = 720;

/**
 * The size in which an image is stored: at most three million pixels, with sides of at most 16,383.
 * @param leastSide length below which the limit of pixels does not reduce the shorter side; with 0 the limit always
 * applies
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
