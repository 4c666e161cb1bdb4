/** Draws public/tertulia.png, the image in link previews of the site: tiles, without a name. */
import sharp from 'sharp';
import { azulejo } from '../src/server/pages/azulejo/azulejo.ts';
import { shareCard } from '../src/shared/image-variants.ts';

const { width, height } = shareCard;

// The tiles are 400 px high at 72 dots per inch.
await sharp(Buffer.from(azulejo('tertulia-1620')), { density: (72 * height) / 400 })
  .resize(width, height)
  .png({ palette: true, compressionLevel: 9, effort: 10 })
  .toFile('public/tertulia.png');
