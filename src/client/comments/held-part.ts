import { lazyPart } from '../components/lazy-part.tsx';

export const HeldItems = lazyPart(
  async () => (await import('../channels/held-items.tsx')).HeldItems,
  { isForAccount: true, isQuiet: true },
);
