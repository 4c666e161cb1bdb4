import type { ComponentType } from 'react';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { type Carried, loadCarried, loadedCarried } from './load-carried.ts';

function carriedPart<Props extends object>(pick: (parts: Carried) => ComponentType<Props>) {
  const ofLoaded = () => {
    const parts = loadedCarried();
    return parts && pick(parts);
  };
  return lazyPart(async () => pick(await loadCarried()), { isQuiet: true, ofLoaded });
}

export const EventCard = carriedPart((parts) => parts.EventCard);
export const NextDates = carriedPart((parts) => parts.NextDates);
