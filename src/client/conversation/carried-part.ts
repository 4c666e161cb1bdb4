import type { ComponentType } from 'react';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { type Carried, loadCarried, loadedCarried } from './load-carried.ts';

/** A part of that script. If it cannot be loaded, the page says so: people decide by what a comment carries. */
function carriedPart<Props extends object>(pick: (parts: Carried) => ComponentType<Props>) {
  const ofLoaded = () => {
    const parts = loadedCarried();
    return parts && pick(parts);
  };
  return lazyPart(async () => pick(await loadCarried()), { ofLoaded });
}

export const ChannelAside = carriedPart((parts) => parts.ChannelAside);
export const CommentFiles = carriedPart((parts) => parts.CommentFiles);
export const EventCard = carriedPart((parts) => parts.EventCard);
export const NextDates = carriedPart((parts) => parts.NextDates);
