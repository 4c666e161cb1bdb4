import type { OwnDecision as Decision } from '../../shared/moderation.ts';
import { useAppState } from '../state/store-provider.tsx';
import { OwnDecision } from './own-decision-part.ts';
import { useDecisions } from './own-decisions.ts';

const restrictions = ['silence', 'suspend', 'hideAll'];

/** Decisions in force that keep the signed-in account from writing, shown above a form. */
export function Restrictions() {
  const isRestricted = useAppState(({ restriction }) => restriction !== null);
  return (
    <Decisions isAsked={isRestricted} select={({ action }) => restrictions.includes(action)} />
  );
}

/** Decisions in force that may hide a channel of the signed-in account, shown in place of the channel. */
export function HiddenChannel({ id }: { id: string }) {
  const hides = ({ action, subject }: Decision) =>
    action === 'hideAll' || (action === 'hide' && subject.id === id);
  // There are no news where no channel is shown.
  return <Decisions isAsked select={hides} />;
}

interface DecisionsProps {
  isAsked: boolean;
  select: (decision: Decision) => boolean;
}

function Decisions({ isAsked, select }: DecisionsProps) {
  return useDecisions(isAsked)
    .filter(select)
    .map((decision) => <OwnDecision key={decision.id} decision={decision} />);
}
