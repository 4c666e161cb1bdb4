import { type Carrying, hasCarried } from '../../shared/page-data.ts';

export type Carried = typeof import('./carried.ts');

let carried: Carried | undefined;

/** The parts of what comments carry, once they are loaded. */
export const loadedCarried = () => carried;

/** Preloads the script of what comments carry. */
export async function loadCarried(): Promise<Carried> {
  carried ??= await import('./carried.ts');
  return carried;
}

/** Preloads that script for a channel, or for a list of channels, that shows some: the page would move if it came later. */
export async function preloadCarried(shown: Carrying): Promise<void> {
  if (hasCarried(shown)) await loadCarried().catch(() => {});
}
