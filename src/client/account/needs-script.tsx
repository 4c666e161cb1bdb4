import styles from '../components/notice.module.css';
import { accountTexts } from './account-texts.ts';

/** The message of pages that do not work without JavaScript. */
export function NeedsScript() {
  return (
    <noscript>
      <p className={styles.alert}>{accountTexts.needsScript}</p>
    </noscript>
  );
}
