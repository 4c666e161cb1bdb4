import { useRef } from 'react';
import type { Decision } from '../../shared/moderation.ts';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { focusTitle } from '../components/page-title.tsx';
import { useLostFocus } from '../components/use-lost-focus.ts';
import { Link } from '../router/navigation.tsx';
import { DecisionLine } from './decision-line.tsx';
import { undo } from './moderation-calls.ts';
import styles from './moderation-page.module.css';
import { queueTexts, staffTexts } from './moderation-texts.ts';
import { placeOf, waveLink } from './place-of.ts';

interface OtherDecisionsProps {
  decisions: Decision[];
  /** Whether they are unfolded at first. */
  isOpen: boolean;
  /** Asks for them again. */
  onUndone: () => Promise<unknown>;
}

/** Decisions that no report led to, which would not be found otherwise to undo them. */
export function OtherDecisions({ decisions, isOpen, onUndone }: OtherDecisionsProps) {
  const list = useRef<HTMLDetailsElement>(null);
  useLostFocus(list, focusTitle);
  const run = (id: string) =>
    undo(id, async () => {
      await onUndone();
      list.current?.querySelector('summary')?.focus();
    });
  return (
    <details ref={list} open={isOpen}>
      <summary>{queueTexts.others(decisions.length)}</summary>
      <ul className={lists.list}>
        {decisions.map((decision) => {
          const { id, subject, author, isFinal } = decision;
          return (
            <li key={id} className={lists.item}>
              <div id={`otra-${id}`} className={lists.what}>
                <DecisionLine decision={decision} />
                <Link
                  className={styles.link}
                  href={subject.kind === 'arrivals' ? waveLink(id) : placeOf(subject)}
                >
                  <span>
                    {queueTexts.kinds[subject.kind]} <bdi>{author}</bdi>
                  </span>
                </Link>
              </div>
              {!isFinal && (
                <button
                  type="button"
                  id={`deshacer-${id}`}
                  className={buttons.quiet}
                  aria-labelledby={`deshacer-${id} otra-${id}`}
                  onClick={() => run(id)}
                >
                  {staffTexts.undo}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
