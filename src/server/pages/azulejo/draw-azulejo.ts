import { createLimit } from '../../http/limits/limited.ts';
import { drawSvg } from '../../images/decoder.ts';
import { azulejo } from './azulejo.ts';

/** However many patterns are asked for, one at most waits among the uploads. */
const drawing = createLimit(1);

/**
 * Draws the tile pattern of a seed as a PNG of 2000 x 800: as wide as the largest variant of a cover.
 * @throws ApiError `unavailable` when too many wait
 */
export const drawAzulejo = (seed: string): Promise<Uint8Array> =>
  drawing(() => drawSvg(azulejo(seed)));
