import { type FocusEvent, useRef } from 'react';
import { notificationsText } from '../../shared/notification-texts.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import { useAppState, useSite, useStore, useUser } from '../state/store-provider.tsx';
import menus from '../ui/action-menu.module.css';
import { Avatar } from '../ui/avatar.tsx';
import { loadAccountParts } from '../ui/loading/lazy-part.tsx';
import buttons from '../ui/styles/button.module.css';
import { texts } from '../ui/texts.ts';
import styles from './menu.module.css';

const userMenu = 'Menú de usuario';

const menuId = 'menu-de-usuario';
const newsId = 'novedades';

/** The user menu, a native popover: it opens before hydration, and closes on Esc and on a click outside. */
export function Menu() {
  const { isLogged, img } = useUser();
  const unread = useAppState((state) => state.unreadNotifications);
  const pending = useAppState((state) => state.pendingModeration);
  // A tab without a session that was sent a page of members.
  const { readers } = useSite();
  const isReader = useAppState((state) => state.membersOnlyAddress === null);
  const readsByCookie = readers === 'members' && isReader;
  const news = [
    ...(unread > 0 ? [`${notificationsText(unread)} sin leer`] : []),
    ...(pending > 0 ? [texts.pending(pending)] : []),
  ].join(', ');
  const store = useStore();
  const popover = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => popover.current?.hidePopover();
  const closeOnLeave = ({ relatedTarget }: FocusEvent) => {
    const isWithin = [popover, button].some(({ current }) => current?.contains(relatedTarget));
    if (relatedTarget && !isWithin) close();
  };
  const signOutAndClose = () => {
    close();
    loadAccountParts().then(
      ({ signOut, queryClientOf }) => signOut(store, queryClientOf(store)),
      () => {},
    );
  };
  const signOutButton = (
    <button type="button" className={`bare ${menus.item}`} onClick={signOutAndClose}>
      Cerrar sesión
    </button>
  );
  const link = (href: string, label: string) => (
    <Link className={`plain ${menus.item}`} href={href} onClick={close}>
      {label}
    </Link>
  );

  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${buttons.round} ${styles.button}`}
        popoverTarget={menuId}
        aria-label={userMenu}
        aria-describedby={news ? newsId : undefined}
        onBlur={closeOnLeave}
      >
        <span data-for={isLogged ? undefined : 'guest'}>
          <Avatar img={img} size={42} isEager />
        </span>
        {news && <span className={styles.dot} />}
      </button>
      {news && (
        <span id={newsId} hidden>
          {news}
        </span>
      )}
      <nav
        ref={popover}
        id={menuId}
        popover="auto"
        aria-label={userMenu}
        className={`popup ${menus.menu} ${styles.menu}`}
        onBlur={closeOnLeave}
      >
        {isLogged ? (
          <ul>
            <li>{link(pageRoutes.profile, 'Perfil')}</li>
            <li>{signOutButton}</li>
          </ul>
        ) : (
          <ul data-for="guest">
            <li>{link(pageRoutes.login, texts.signIn)}</li>
            {/* The specification spells it this way. */}
            <li>{link(pageRoutes.register, 'Registarse')}</li>
            {readsByCookie && <li data-scripted="">{signOutButton}</li>}
          </ul>
        )}
        <p>Iniciando sesión…</p>
      </nav>
    </>
  );
}
