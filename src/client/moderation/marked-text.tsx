import { diffWordsWithSpace } from 'diff';
import styles from './marked-text.module.css';

/** Differing words up to which they are marked one by one. The time grows with them. */
const maxEditLength = 500;

/** A text, with what it has and lacks beside an earlier one marked as inserted and deleted. */
export function MarkedText({ before, text }: { before: string; text: string }) {
  const whole = [
    { value: before, removed: true, added: false },
    { value: text, removed: false, added: true },
  ];
  const parts = diffWordsWithSpace(before, text, { maxEditLength }) ?? whole;
  return (
    <p className={styles.text} dir="auto">
      {parts.map(({ value, added, removed }, index) => {
        const Mark = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        return <Mark key={index}>{value}</Mark>;
      })}
    </p>
  );
}
