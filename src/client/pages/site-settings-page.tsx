import { useEffect } from 'react';
import { pages } from '../../shared/pages.ts';
import { useUserQuery } from '../api/user-query.ts';
import { withQueries } from '../api/with-queries.tsx';
import { useNews } from '../conversation/reading/news.ts';
import { notStaffText } from '../moderation/decisions/staff-calls.ts';
import { BuildLine } from '../moderation/site/build-line.tsx';
import { FirstSteps, useFirstChannel } from '../moderation/site/first-steps.tsx';
import { getSettings } from '../moderation/site/site-settings-calls.ts';
import { SettingsForm } from '../moderation/site/site-settings-form.tsx';
import { AccountPage } from '../session/account-page.tsx';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { Loading } from '../ui/loading/spinner.tsx';
import { Alert, LoadFailure } from '../ui/notice.tsx';
import { focusTitle, PageTitle } from '../ui/page-title.tsx';
import settings from '../ui/styles/settings.module.css';
import { texts } from '../ui/texts.ts';

const NotFound = lazyPart(async () => (await import('./not-found-page.tsx')).NotFound);

/** The settings page of the community: a form for admins, read-only for moderators. NotFound for other users. */
function SiteSettingsPageContent() {
  return (
    <AccountPage name="siteSettings">
      <Settings />
    </AccountPage>
  );
}

export const SiteSettingsPage = withQueries(SiteSettingsPageContent);

function Settings() {
  const { data: saved, error, refetch } = useUserQuery(getSettings);
  const news = useNews('');
  // The form waits for this response, so that the list of first steps does not push it down.
  const { data: channelId = null, isFetched } = useFirstChannel();
  const isOver = error?.status === 404 || news?.role === 'member';
  useEffect(() => {
    if (isOver && document.activeElement === document.body) focusTitle();
  }, [isOver]);
  const isAdmin = news?.role === 'admin';
  if (isOver && !saved) return <NotFound />;
  const isReady = saved && news && isFetched && !isOver;
  return (
    <div className={`page ${settings.page}`}>
      <PageTitle>{pages.siteSettings.title}</PageTitle>
      {error && !saved && (
        <LoadFailure message="No se pudieron cargar los ajustes" onRetry={() => refetch()} />
      )}
      {isOver && <Alert>{notStaffText}</Alert>}
      {!error && !isReady && !isOver && <Loading label={texts.loading} />}
      {isReady && (
        <>
          {isAdmin ? (
            <FirstSteps {...{ saved, channelId }} />
          ) : (
            <p>Solo quien administra el foro puede cambiarlo.</p>
          )}
          <SettingsForm
            saved={saved}
            isAdmin={isAdmin}
            channelId={channelId}
            reload={() => refetch()}
          />
          {saved.build && <BuildLine build={saved.build} />}
        </>
      )}
    </div>
  );
}
