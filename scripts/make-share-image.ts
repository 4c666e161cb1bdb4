/** Draws public/tertulia.png, the image that link previews of the site show. */
import sharp from 'sharp';
import { azulejo } from '../src/server/azulejo/azulejo.ts';

const width = 1200;
const height = 630;
const tiles = await sharp(Buffer.from(azulejo('tertulia-1620')), { density: 72 * 1.2 })
  .png()
  .toBuffer();
const serif = 'Noto Serif, DejaVu Serif, Georgia, serif';
const sans = 'Noto Sans, DejaVu Sans, Arial, sans-serif';
const caption = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="150">
  <text x="64" y="106" font-family="${serif}" font-weight="700" font-size="92" letter-spacing="-2" fill="#a63d1a">tertulia</text>
  <text x="1136" y="98" text-anchor="end" font-family="${sans}" font-size="32" fill="#6b5f53">Canales para conversar con calma</text>
</svg>`;

await sharp({ create: { width, height, channels: 3, background: '#faf7f2' } })
  .composite([
    { input: tiles, left: 0, top: 0 },
    { input: Buffer.from(caption), left: 0, top: 480 },
  ])
  .png({ palette: true, compressionLevel: 9, effort: 10 })
  .toFile('public/tertulia.png');
