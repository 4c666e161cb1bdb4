import type { CommentPoll, PollResult } from '../../../shared/polls.ts';
import styles from './poll-options.module.css';
import { votersText, votesText } from './poll-texts.ts';

interface PollOptionsProps {
  poll: CommentPoll;
  /** The counts; null while they are not known. */
  result: PollResult | null;
  /** Positions of the options that the signed-in user has chosen. */
  chosen?: readonly number[];
}

/** The options of a poll to be read, with their votes. */
export function PollOptions({ poll, result, chosen = [] }: PollOptionsProps) {
  const text = votersText(poll, result);
  return (
    <>
      <ul className={styles.options}>
        {poll.options.map((option, index) => (
          <li key={option.position} className={styles.option}>
            <span className={styles.text}>
              <bdi>{option.text}</bdi>
              {chosen.includes(option.position) && <strong className={styles.own}>Tu voto</strong>}
            </span>
            {result && (
              <>
                <span className="note">{votesText(result.votes[index] ?? 0, result.voters)}</span>
                <Bar part={(result.votes[index] ?? 0) / Math.max(1, result.voters)} />
              </>
            )}
          </li>
        ))}
      </ul>
      {text && <p className="note">{text}</p>}
    </>
  );
}

/** A bar as long as a part of the line. Not a style, which the content security policy refuses. @param part from 0 to 1 */
function Bar({ part }: { part: number }) {
  return (
    <svg className={styles.bar} aria-hidden="true">
      <rect width={`${100 * part}%`} height="100%" />
    </svg>
  );
}
