import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import styles from './needs-script.module.css';
import notices from './notice.module.css';

interface NeedsScriptProps {
  /** Heading of a page whose content, heading included, is hidden from guests. */
  title?: string | undefined;
}

/** The message of pages that do not work without JavaScript. */
export function NeedsScript({ title }: NeedsScriptProps) {
  return (
    <noscript>
      {title && <h1 className={styles.title}>{title}</h1>}
      <p className={notices.alert}>Esta página necesita JavaScript para funcionar.</p>
      {title && (
        <p className={`links ${styles.link}`}>
          <a href={pageRoutes.login}>{accountTexts.signIn}</a>
        </p>
      )}
    </noscript>
  );
}
