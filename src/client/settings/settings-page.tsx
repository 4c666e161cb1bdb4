import { pages } from '../../shared/pages.ts';
import { NeedsScript } from '../account/needs-script.tsx';
import { useRedirectHome } from '../account/use-session.ts';
import styles from '../components/form-page.module.css';
import { PageTitle } from '../components/page-title.tsx';
import { useUser } from '../state/store-provider.tsx';
import { AccountSection } from './account-section.tsx';
import { DataSection } from './data-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { SessionSection } from './session-section.tsx';

/** Everything that people decide about their account. */
export function SettingsPage() {
  const { isLogged } = useUser();
  useRedirectHome('settings');
  return (
    <>
      <NeedsScript title={pages.settings.title} />
      <div className={`${styles.page} ${styles.narrow}`} data-for="user">
        <PageTitle>{pages.settings.title}</PageTitle>
        {isLogged && (
          <>
            <AccountSection />
            <SessionSection />
            <PasskeySection />
            <RecoverySection />
            <DataSection />
          </>
        )}
      </div>
    </>
  );
}
