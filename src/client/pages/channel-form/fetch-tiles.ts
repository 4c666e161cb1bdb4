import { assetRoutes } from '../../../shared/routes.ts';

/**
 * Fetches a random tile pattern from the server as an image file in the shape of a cover. Drawing it on a canvas
 * here would give stripes in browsers that falsify canvas data.
 */
export async function fetchTiles(signal: AbortSignal): Promise<File> {
  const seed = Math.random().toString(36).slice(2);
  const response = await fetch(assetRoutes.azulejoImage(seed), { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new File([await response.blob()], `azulejo-${seed}.png`, { type: 'image/png' });
}
