import { assetRoutes } from '../../../shared/routes.ts';

/**
 * Fetches a tile pattern of the site as an image file in the shape of a cover; each time another one. Drawn on a canvas
 * here, it would be stripes in browsers that falsify what a canvas gives back.
 */
export async function fetchTiles(signal: AbortSignal): Promise<File> {
  const seed = Math.random().toString(36).slice(2);
  const response = await fetch(assetRoutes.azulejoImage(seed), { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new File([await response.blob()], `azulejo-${seed}.png`, { type: 'image/png' });
}
