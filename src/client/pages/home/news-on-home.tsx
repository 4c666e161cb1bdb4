import { notificationsText } from '../../../shared/notification-texts.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { fullTime } from '../../dom/time-words.ts';
import { Link } from '../../router/navigation.tsx';
import { useAppState } from '../../state/store-provider.tsx';
import notices from '../../ui/notice.module.css';
import { texts } from '../../ui/texts.ts';

/** Links on the home page to the user's notifications and to items that await a moderator. */
export function NewsOnHome() {
  const unread = useAppState((state) => state.unreadNotifications);
  const pending = useAppState((state) => state.pendingModeration);
  return (
    <p className="links row">
      <Link href={pageRoutes.notifications}>
        {unread > 0 ? notificationsText(unread) : 'Avisos'}
      </Link>
      {pending > 0 && <Link href={pageRoutes.moderation}>{texts.pending(pending)}</Link>}
    </p>
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
