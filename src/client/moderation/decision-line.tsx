import type { Decision } from '../../shared/moderation.ts';
import { shortDate } from '../time/short-date.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { decisionTexts } from './decision-texts.ts';
import { categoryTexts, decidedTexts, logTexts } from './log-texts.ts';

/** One line that says which decision was made, by whom, when and why. */
export function DecisionLine({ decision }: { decision: Decision }) {
  const { action, category, reason, decidedBy, at, until, undoneAt } = decision;
  return (
    <p>
      <strong>{decidedTexts[action]}</strong>
      {until && ` ${decisionTexts.untilDate(shortDate(until))}`}
      {action !== 'dismiss' && action !== 'passwordLink' && ` · ${categoryTexts[category]}`} ·{' '}
      <bdi>{decidedBy || decisionTexts.operator}</bdi>, <TimeAgo iso={at} />
      {undoneAt && ` · ${logTexts.undone}`}
      {reason && (
        <>
          <br />
          <q dir="auto">{reason}</q>
        </>
      )}
    </p>
  );
}
