import type { OwnDecision as Decision } from '../../../shared/moderation.ts';
import { OwnDecision } from './own-decision-part.ts';
import { useDecisions } from './own-decisions.ts';

const restrictions = ['silence', 'suspend', 'hideAll'];

/** Decisions in force that keep the signed-in account from writing, shown above a form. */
export function Restrictions() {
  return <Decisions select={({ action }) => restrictions.includes(action)} />;
}

/** Decisions in force that may hide a channel of the signed-in account, shown in place of the channel. */
export function HiddenChannel({ id }: { id: string }) {
  const hides = ({ action, subject }: Decision) =>
    action === 'hideAll' || (action === 'hide' && subject.id === id);
  return <Decisions select={hides} />;
}

function Decisions({ select }: { select: (decision: Decision) => boolean }) {
  return useDecisions()
    .filter(select)
    .map((decision) => <OwnDecision key={decision.id} decision={decision} />);
}
