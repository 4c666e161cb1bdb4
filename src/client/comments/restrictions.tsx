import { lazyPart } from '../components/lazy-part.tsx';
import { useHiding, useRestrictions } from './hidden-comments.ts';

/** A decision about the account. */
export const OwnDecision = lazyPart(
  async () => (await import('../moderation/own-decision.tsx')).OwnDecision,
  { isQuiet: true },
);

/** The decisions in force that keep the account from writing, above a form to write. */
export const Restrictions = () =>
  useRestrictions().map((decision) => <OwnDecision key={decision.id} decision={decision} />);

/** The decisions in force that may hide a channel of the account, in its place. */
export const HiddenChannel = ({ id }: { id: string }) =>
  useHiding(id).map((decision) => <OwnDecision key={decision.id} decision={decision} />);
