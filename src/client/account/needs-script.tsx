import styles from '../components/notice.module.css';
import { accountTexts } from './account-texts.ts';

/** On pages that do nothing without it. */
export function NeedsScript() {
  return (
    <noscript>
      <p className={styles.alert}>{accountTexts.needsScript}</p>
    </noscript>
  );
}
