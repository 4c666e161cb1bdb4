import { createLimit } from '../../http/limits/bounded-queue.ts';
import { drawSvg } from '../../images/decoder.ts';
import { azulejo } from './azulejo.ts';

/** However many patterns are requested, at most one waits among the uploads. */
const drawing = createLimit(1);

/**
 * Draws the tile pattern of a seed as a PNG of 2000 x 800 pixels, the width of a cover's largest variant.
 * @throws ApiError `unavailable` when too many wait
 */
export const drawAzulejo = (seed: string): Promise<Uint8Array> =>
  drawing(() => drawSvg(azulejo(seed)));
