import { assetRoutes } from '../../shared/routes.ts';

/** In pixels: as wide as the largest variant of a cover. */
const [width, height] = [2000, 800];

/** Draws a tile pattern of the site as an image file in the shape of a cover; each time another one. */
export async function drawTiles(): Promise<File> {
  const seed = Math.random().toString(36).slice(2);
  const tiles = new Image();
  tiles.src = assetRoutes.azulejo(seed);
  await tiles.decode();
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(tiles, 0, 0, width, height);
  const type = 'image/png';
  return new File([await canvas.convertToBlob({ type })], `azulejo-${seed}.png`, { type });
}
