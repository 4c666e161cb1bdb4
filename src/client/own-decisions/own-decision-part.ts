import { lazyPart } from '../ui/loading/lazy-part.tsx';

export const OwnDecision = lazyPart(async () => (await import('./own-decision.tsx')).OwnDecision, {
  isQuiet: true,
});
