import { lazyPart } from '../components/lazy-part.tsx';
import { useRestrictions } from './hidden-comments.ts';

const OwnDecision = lazyPart(
  async () => (await import('../moderation/own-decision.tsx')).OwnDecision,
  { isQuiet: true },
);

/** The decisions in force that keep the account from writing, above a form to write. */
export const Restrictions = () =>
  useRestrictions().map((decision) => <OwnDecision key={decision.id} decision={decision} />);
