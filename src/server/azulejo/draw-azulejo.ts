import sharp from 'sharp';
import { decoding } from '../images/image-processing.ts';
import { createLimit } from '../limits/limited.ts';
import { azulejo } from './azulejo.ts';

const svgDecoder = { operation: ['VipsForeignLoadSvg'] };
/** However many patterns are asked for, one at most waits among the uploads. */
const drawing = createLimit(1);

/**
 * Draws the tile pattern of a seed as a PNG of 2000 x 800: as wide as the largest variant of a cover.
 * @throws ApiError `unavailable` when too many wait
 */
export function drawAzulejo(seed: string): Promise<Buffer> {
  return drawing(() =>
    // No upload is decoded meanwhile, so none of them reaches the decoder of SVG.
    decoding(async () => {
      sharp.unblock(svgDecoder);
      try {
        return await sharp(Buffer.from(azulejo(seed)), { density: 144 })
          .removeAlpha()
          .png({ compressionLevel: 6 })
          .toBuffer();
      } finally {
        sharp.block(svgDecoder);
      }
    }),
  );
}
