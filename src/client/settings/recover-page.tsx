import { pages } from '../../shared/pages.ts';
import { NeedsScript } from '../account/needs-script.tsx';
import styles from '../components/form-page.module.css';
import { PageTitle } from '../components/page-title.tsx';

/** Sets a new password with one of the printed codes. */
export function Recover() {
  return (
    <div className={`${styles.page} ${styles.narrow}`}>
      <PageTitle>{pages.recover.title}</PageTitle>
      <NeedsScript />
    </div>
  );
}
