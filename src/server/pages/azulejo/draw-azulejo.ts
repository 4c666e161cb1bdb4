import { shareCard } from '../../../shared/image-variants.ts';
import { createLimit } from '../../http/limits/bounded-queue.ts';
import { drawSvg } from '../../images/decoder.ts';
import { azulejo, azulejoCard, azulejoIcon } from './azulejo.ts';

/** However many patterns are requested, at most one waits among the uploads. */
const drawing = createLimit(1);

/** Pixels that `drawSvg` draws for one unit of the SVG. */
const pixelsPerUnit = 2;

/**
 * Draws the tile pattern of a seed as a PNG of 2000 x 800 pixels, the width of a cover's largest variant.
 * @throws ApiError `unavailable` when too many wait
 */
export const drawAzulejo = (seed: string): Promise<Uint8Array> =>
  drawing(() => drawSvg(azulejo(seed), 'png'));

/** Draws the middle of the pattern as a JPEG of the size of `shareCard`. @throws as above */
export function drawAzulejoCard(seed: string): Promise<Uint8Array> {
  const { width, height } = shareCard;
  const svg = azulejoCard(seed, width / pixelsPerUnit, height / pixelsPerUnit);
  return drawing(() => drawSvg(svg, 'jpeg'));
}

/** Draws four tiles of the pattern as a PNG of this many pixels in width and height, an even number. @throws as above */
export const drawAzulejoIcon = (seed: string, pixels: number): Promise<Uint8Array> =>
  drawing(() => drawSvg(azulejoIcon(seed, pixels / pixelsPerUnit), 'png'));
