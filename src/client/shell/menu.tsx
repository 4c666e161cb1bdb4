import { type FocusEvent, type RefObject, useRef } from 'react';
import { pageRoutes } from '../../shared/routes.ts';
import { useSignOut } from '../account/use-account.ts';
import { bundles, MenuClosing } from '../bundles.ts';
import { Avatar } from '../components/avatar.tsx';
import buttons from '../components/button.module.css';
import { Link } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import styles from './menu.module.css';

const menuId = 'menu-de-usuario';

/**
 * A native popover: it opens before hydration, and closes on Esc and on a click outside it. The
 * script adds that such a click does nothing else, and that it closes when the focus leaves it.
 */
export function Menu() {
  const { isLogged, img } = useUser();
  const signOut = useSignOut();
  const popover = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => popover.current?.hidePopover();
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (isOutside(relatedTarget, popover, button)) close();
  };

  const signOutAndClose = () => {
    close();
    signOut();
  };
  const link = (href: string, label: string) => (
    <Link className={styles.item} href={href} onClick={close}>
      {label}
    </Link>
  );

  return (
    <>
      <MenuClosing popover={popover} button={button} />
      <button
        ref={button}
        type="button"
        className={buttons.round}
        popoverTarget={menuId}
        aria-label={texts.userMenu}
        onClick={bundles.account.preload}
        onBlur={onBlur}
      >
        <span data-for={isLogged ? undefined : 'guest'}>
          <Avatar img={img} size={42} isEager />
        </span>
      </button>
      <nav
        ref={popover}
        id={menuId}
        popover="auto"
        aria-label={texts.userMenu}
        className={styles.menu}
        onBlur={onBlur}
      >
        {isLogged ? (
          <ul>
            <li>{link(pageRoutes.profile, texts.menuProfile)}</li>
            <li>
              <button type="button" className={styles.item} onClick={signOutAndClose}>
                {texts.menuSignOut}
              </button>
            </li>
          </ul>
        ) : (
          <ul data-for="guest">
            <li>{link(pageRoutes.login, texts.menuSignIn)}</li>
            <li>{link(pageRoutes.register, texts.menuSignUp)}</li>
          </ul>
        )}
      </nav>
    </>
  );
}

/** Whether an event happened or the focus went outside these parts. */
export function isOutside(
  target: EventTarget | null,
  ...parts: RefObject<HTMLElement | null>[]
): boolean {
  return target instanceof Node && !parts.some(({ current }) => current?.contains(target));
}
