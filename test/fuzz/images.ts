import fc from 'fast-check';
import sharp from 'sharp';
import { quarters } from '../attacks/hostile-images.ts';
import { edited, edits } from './edits.ts';

async function samples(): Promise<Buffer[]> {
  const image = quarters(64, 48);
  const clear = sharp(await image.clone().ensureAlpha(0.5).png().toBuffer());
  return Promise.all([
    image.clone().jpeg().toBuffer(),
    image.clone().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
    image.clone().png().toBuffer(),
    clear.clone().png({ progressive: true }).toBuffer(),
    image.clone().png({ palette: true }).toBuffer(),
    clear.clone().webp().toBuffer(),
    image.clone().webp({ lossless: true }).toBuffer(),
    clear.clone().gif().toBuffer(),
    image.clone().avif({ bitdepth: 8 }).toBuffer(),
    image.clone().tiff().toBuffer(),
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
    ),
  ]);
}

/** Generates small images of every format, with random edits of their bytes. */
export async function brokenImages(): Promise<fc.Arbitrary<Buffer>> {
  const whole = await samples();
  return fc
    .tuple(fc.nat(whole.length - 1), edits(8))
    .map(([which, changes]) => edited(whole[which] ?? Buffer.alloc(0), changes));
}
