import { accountTexts } from '../account/account-texts.ts';
import styles from './notice.module.css';

/** On pages that do nothing without it. */
export function NeedsScript() {
  return (
    <noscript>
      <p className={styles.alert}>{accountTexts.needsScript}</p>
    </noscript>
  );
}
