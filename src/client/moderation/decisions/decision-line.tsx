import type { Decision } from '../../../shared/moderation.ts';
import { dot } from '../../ui/texts.ts';
import { shortDate } from '../../ui/time/short-date.ts';
import { Time } from '../../ui/time/time.tsx';
import { decidedText, operatorText } from './decision-texts.ts';
import { categoryOf } from './log-texts.ts';

/** One line about a decision: the action, the moderator, the time and the reason. */
export function DecisionLine({ decision }: { decision: Decision }) {
  const { reason, decidedBy, at, until, undoneAt } = decision;
  const category = categoryOf(decision);
  return (
    <p>
      <strong>{decidedText(decision)}</strong>
      {until && <span>{` hasta el ${shortDate(until)}`}</span>}
      {category && <span>{dot + category}</span>}
      <span>{dot}</span>
      <bdi>{decidedBy || operatorText}</bdi>
      <span>, </span>
      <Time iso={at} />
      {undoneAt && <span>, deshecha</span>}
      {reason && (
        <>
          <br />
          <q dir="auto">{reason}</q>
        </>
      )}
    </p>
  );
}
