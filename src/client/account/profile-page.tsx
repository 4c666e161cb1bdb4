import { useCallback, useEffect, useState } from 'react';
import { numberText } from '../../shared/number-texts.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { NeedsScript } from '../components/needs-script.tsx';
import { LoadFailure } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Link } from '../router/navigation.tsx';
import { useRedirectHome } from '../session/session-end.ts';
import { refreshUser } from '../session/tabs.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { getProfile } from './account-calls.ts';
import { ProfileImage } from './profile-image.tsx';
import styles from './profile-page.module.css';

export function ProfilePage() {
  const { name, email, isLogged } = useUser();
  useRedirectHome('profile');

  return (
    <>
      <NeedsScript title={pages.profile.title} />
      <div className={styles.page} data-for="user" data-pending={isLogged ? undefined : ''}>
        <ProfileImage />
        <div className={styles.who}>
          <PageTitle>{name || '\u00a0'}</PageTitle>
          <p className={styles.email}>{email}</p>
        </div>
        <Statistics isLogged={isLogged} />
        <Link className={buttons.quiet} href={pageRoutes.settings}>
          {pages.settings.title}
        </Link>
      </div>
    </>
  );
}

function Statistics({ isLogged }: { isLogged: boolean }) {
  const store = useStore();
  const [count, setCount] = useState<number | 'unknown' | 'failed'>('unknown');

  const load = useCallback(
    (signal?: AbortSignal) => {
      setCount('unknown');
      request(getProfile, undefined, { signal }).then((result) => {
        if (signal?.aborted) return;
        if (result.ok) refreshUser(result.value, store);
        setCount(result.ok ? result.value.channelCount : 'failed');
      });
    },
    [store],
  );

  useEffect(() => {
    if (!isLogged) return;
    const controller = new AbortController();
    // biome-ignore lint/nursery/useReactCompiler: another account's figure must not stay while it loads
    load(controller.signal);
    return () => controller.abort();
  }, [isLogged, load]);

  if (count === 'failed') {
    return <LoadFailure message={accountTexts.channelsCreatedFailed} onRetry={() => load()} />;
  }
  return (
    <dl className={styles.statistics} aria-busy={count === 'unknown'}>
      <dt>{accountTexts.channelsCreated}</dt>
      <dd>{count === 'unknown' ? '–' : numberText(count)}</dd>
    </dl>
  );
}
