import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import buttons from '../components/button.module.css';
import { PageTitle } from '../components/page-title.tsx';
import { Link } from '../navigation.tsx';
import { texts } from '../texts.ts';
import styles from './not-found.module.css';

export function NotFound() {
  return (
    <div className={styles.page}>
      <img src={assetRoutes.azulejo('no-encontrada')} width={1000} height={400} alt="" />
      <PageTitle>{texts.notFound}</PageTitle>
      <p className={styles.lead}>{texts.notFoundLead}</p>
      <Link className={buttons.primary} href={pageRoutes.home}>
        {texts.backHome}
      </Link>
    </div>
  );
}
