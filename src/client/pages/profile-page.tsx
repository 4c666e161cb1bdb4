import { numberText } from '../../shared/number-texts.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { useUserQuery } from '../api/user-query.ts';
import { withQueries } from '../api/with-queries.tsx';
import { Link } from '../router/navigation.tsx';
import { takeRecoveryReminder } from '../session/account-calls.ts';
import { AccountPage } from '../session/account-page.tsx';
import { useProfile } from '../session/use-profile.ts';
import { ProfileImage } from '../settings/profile/profile-image.tsx';
import { useAppState, useSite, useUser } from '../state/store-provider.tsx';
import { EmailText } from '../ui/email-text.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import lists from '../ui/styles/list.module.css';
import { texts } from '../ui/texts.ts';
import styles from './profile-page.module.css';

function ProfilePageContent() {
  const { id, name, email, isLogged } = useUser();
  const { readers } = useSite();
  return (
    <AccountPage name="profile" isPrepared>
      <div className={`page ${styles.page}`} data-pending={isLogged ? undefined : ''}>
        <ProfileImage />
        <div className="stack tight">
          <PageTitle>{name || '\u00a0'}</PageTitle>
          <p className={`muted ${styles.email}`}>
            <EmailText email={email} />
          </p>
          <Link className="tall" href={pageRoutes.user(id)}>
            {readers === 'members' ? 'Ver mi página' : 'Ver mi página pública'}
          </Link>
        </div>
        <Statistics />
        <ul className={`frame ${lists.list} ${styles.lines}`}>
          <PageLine href={pageRoutes.settings} title={pages.settings.title} />
          <PageLine href={pageRoutes.notifications} title={pages.notifications.title} />
          {isLogged && <Moderation />}
        </ul>
        {isLogged && <CodesOffer />}
      </div>
    </AccountPage>
  );
}

export const ProfilePage = withQueries(ProfilePageContent);

interface PageLineProps {
  href: string;
  title: string | undefined;
  count?: string;
}

/** A line that leads to another page of the user. */
function PageLine({ href, title, count }: PageLineProps) {
  return (
    <li className={`covered row ${lists.item}`}>
      <Link className={`covering plain target ${styles.line}`} href={href}>
        <span>{title}</span> {count && <span className="note">{count}</span>}
      </Link>
    </li>
  );
}

/** Link to the moderation queue, for moderators. */
function Moderation() {
  const role = useAppState((state) => state.role);
  const pending = useAppState((state) => state.pendingModeration);
  if (role === 'member') return null;
  const count = pending > 0 ? texts.pending(pending) : '';
  return <PageLine href={pageRoutes.moderation} title={pages.moderation.title} count={count} />;
}

/** Offers to print recovery codes, once per account without codes. */
function CodesOffer() {
  const { data } = useUserQuery(takeRecoveryReminder, undefined, {
    isBackground: true,
    isKept: true,
  });
  if (!data?.isDue) return null;
  return (
    <p className={styles.offer}>
      Por si un día olvidas la contraseña, puedes{' '}
      <Link href={`${pageRoutes.settings}#recuperacion`}>
        imprimir códigos para volver a entrar
      </Link>
      .
    </p>
  );
}

function Statistics() {
  const { data, isLoadingError, refetch } = useProfile();
  if (isLoadingError) {
    return (
      <LoadFailure message="No se pudieron cargar las estadísticas" onRetry={() => refetch()} />
    );
  }
  return (
    <dl className={`frame ${styles.statistics}`} aria-busy={!data}>
      <dt>Canales creados</dt>
      <dd>{data ? numberText(data.channelCount) : '–'}</dd>
    </dl>
  );
}
