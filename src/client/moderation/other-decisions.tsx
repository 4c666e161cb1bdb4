import type { Decision } from '../../shared/moderation.ts';
import { failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useAnchors } from '../components/anchors.tsx';
import buttons from '../components/button.module.css';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { Link } from '../router/navigation.tsx';
import { DecisionLine } from './decision-line.tsx';
import { undoDecision } from './moderation-calls.ts';
import styles from './moderation-page.module.css';
import { decisionTexts, queueTexts } from './moderation-texts.ts';
import { placeOf, waveLink } from './place-of.ts';

const headingId = 'otras-decisiones';

interface OtherDecisionsProps {
  decisions: Decision[];
  /** Whether they are unfolded at first. */
  isOpen: boolean;
  /** Called when one is undone, or cannot be. */
  onUndone: () => Promise<unknown>;
}

/** Decisions that no report led to, which would not be found otherwise to undo them. */
export function OtherDecisions({ decisions, isOpen, onUndone }: OtherDecisionsProps) {
  const { register, focus } = useAnchors();
  const { run: undo } = useExclusive(async ({ id }: Decision) => {
    const result = await request(undoDecision, id);
    await onUndone();
    const failed = result.ok ? '' : `${queueTexts.notUndone} ${failureText(result)}`;
    showStatus({ text: failed || queueTexts.otherUndone });
    focus(headingId);
  });
  if (decisions.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary ref={register} id={headingId}>
        {queueTexts.others(decisions.length)}
      </summary>
      <ul className={styles.lines}>
        {decisions.map((decision) => {
          const { id, subject } = decision;
          const isWave = subject.kind === 'arrivals';
          return (
            <li key={id}>
              <div>
                <DecisionLine decision={decision} />
                <Link className={styles.link} href={isWave ? waveLink(id) : placeOf(subject)}>
                  {queueTexts.places[subject.kind]}
                </Link>
              </div>
              <button type="button" className={buttons.quiet} onClick={() => undo(decision)}>
                {decisionTexts.undo}
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
