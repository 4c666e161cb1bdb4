import type { ComponentType } from 'react';
import { type Carrying, hasCarried } from '../../shared/page-data.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';

type Carried = typeof import('./carried.ts');

let carried: Carried | undefined;

/** Preloads the script of what comments carry. */
export async function loadCarried(): Promise<Carried> {
  carried ??= await import('./carried.ts');
  return carried;
}

/** Preloads it for a channel, or for a list of channels, that needs it: the page would move if it came later. */
export async function preloadCarried(shown: Carrying): Promise<void> {
  if (hasCarried(shown)) await loadCarried().catch(() => {});
}

const carriedPart = <Props extends object>(pick: (parts: Carried) => ComponentType<Props>) =>
  lazyPart(async () => pick(await loadCarried()), {
    isQuiet: true,
    ofLoaded: () => carried && pick(carried),
  });

export const EventCard = carriedPart((parts) => parts.EventCard);
export const NextDates = carriedPart((parts) => parts.NextDates);
