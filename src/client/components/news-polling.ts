import { lazyPart } from './lazy-part.tsx';

/** Keeps the news of channels current. */
export const NewsPolling = lazyPart(
  async () => (await import('../account/account-effects.ts')).NewsPolling,
  { isForAccount: true, isQuiet: true },
);
