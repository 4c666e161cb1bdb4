import { notificationsText } from '../../../shared/notification-texts.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { fullTime } from '../../dom/time-words.ts';
import { Link } from '../../router/navigation.tsx';
import { useAppState } from '../../state/store-provider.tsx';
import { listTexts } from '../../ui/list-texts.ts';
import notices from '../../ui/notice.module.css';
import buttons from '../../ui/styles/button.module.css';
import { texts } from '../../ui/texts.ts';
import styles from './news-on-home.module.css';

/** The line of the home page with links to the user's notifications, to items that await a moderator, and to a new channel. */
export function NewsOnHome() {
  const unread = useAppState((state) => state.unreadNotifications);
  const pending = useAppState((state) => state.pendingModeration);
  return (
    <div className={styles.line}>
      <p className="links row">
        <Link href={pageRoutes.notifications}>
          {unread > 0 ? notificationsText(unread) : 'Avisos'}
        </Link>
        {pending > 0 && <Link href={pageRoutes.moderation}>{texts.pending(pending)}</Link>}
      </p>
      <Link className={`${buttons.quiet} ${styles.create}`} href={pageRoutes.create}>
        {listTexts.createChannel}
      </Link>
    </div>
  );
}

const restrictionTexts = {
  hidden: 'Lo que has escrito está oculto y no puedes escribir',
  silenced: 'No puedes escribir',
  suspended: 'Tu cuenta está suspendida',
};

/** Says why the user cannot write or read, with a link to the reason. */
export function RestrictionNote() {
  const restriction = useAppState((state) => state.restriction);
  if (!restriction) return null;
  const { state, until } = restriction;
  return (
    <p className={notices.alert}>
      <span>{`${restrictionTexts[state]}${until ? ` hasta el ${fullTime(until)}` : ''}.`}</span>{' '}
      <Link href={`${pageRoutes.settings}#decisiones`}>Ver el motivo</Link>
    </p>
  );
}
