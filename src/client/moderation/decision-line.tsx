import type { Decision } from '../../shared/moderation.ts';
import { shortDate } from '../time/short-date.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { decidedText, decisionTexts } from './decision-texts.ts';
import { categoryTexts, logTexts } from './log-texts.ts';

/** One line that says which decision was made, by whom, when and why. */
export function DecisionLine({ decision }: { decision: Decision }) {
  const { action, category, reason, decidedBy, at, until, undoneAt } = decision;
  return (
    <p>
      <strong>{decidedText(decision)}</strong>
      {until && <span>{` hasta el ${shortDate(until)}`}</span>}
      {action !== 'dismiss' && action !== 'passwordLink' && (
        <span>{` · ${categoryTexts[category]}`}</span>
      )}
      <span> · </span>
      <bdi>{decidedBy || decisionTexts.operator}</bdi>
      <span>, </span>
      <TimeAgo iso={at} />
      {undoneAt && <span>{` · ${logTexts.undone}`}</span>}
      {reason && (
        <>
          <br />
          <q dir="auto">{reason}</q>
        </>
      )}
    </p>
  );
}
