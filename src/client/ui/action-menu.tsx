import { type ReactNode, useRef, useState } from 'react';
import type { MenuAction, OpenMenu } from './action-list.tsx';
import styles from './dots.module.css';
import { lazyPart } from './loading/lazy-part.tsx';

/** The list of an open menu. */
export const ActionList = lazyPart(async () => (await import('./action-list.tsx')).ActionList, {
  isQuiet: true,
});

/** Preloads the list of actions, so that menus can be opened while offline. */
export function preloadMenus(): void {
  ActionList.load().catch(() => {});
}

/** Id of the list: only one menu is open at a time. */
export const listId = 'acciones';

interface MenuButtonProps {
  /** Name of the button for screen readers. */
  label: string;
  className?: string | undefined;
  /** Shown instead of three dots. */
  children?: ReactNode;
  isOpen: boolean;
  onOpen: (opener: HTMLButtonElement) => void;
  onClose: () => void;
}

/** A button below which `ActionList` stands while the menu is open. */
export function MenuButton({
  label,
  className = '',
  children,
  isOpen,
  onOpen,
  onClose,
}: MenuButtonProps) {
  /** Whether the menu was open when the button was pressed: pressing it closes the menu before the click. */
  const wasOpen = useRef(false);
  return (
    <button
      type="button"
      className={children ? className : `${styles.dots} ${className}`}
      aria-label={label}
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId : undefined}
      onPointerDown={() => {
        wasOpen.current = isOpen;
      }}
      onClick={({ detail, currentTarget }) => {
        const isByPointer = detail > 0;
        if (!isOpen && !(isByPointer && wasOpen.current)) return onOpen(currentTarget);
        onClose();
        currentTarget.focus({ preventScroll: true });
      }}
    >
      {children}
    </button>
  );
}

interface ActionMenuProps extends Pick<MenuButtonProps, 'label' | 'className' | 'children'> {
  /** Called when the menu opens. */
  actions: () => MenuAction[];
}

/** A button that opens a list of actions: a native popover, like the user menu. */
export function ActionMenu({ label, className, children, actions }: ActionMenuProps) {
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const close = () => setMenu(null);
  return (
    <>
      <MenuButton
        label={label}
        className={className}
        isOpen={menu !== null}
        onOpen={(opener) => setMenu({ opener, actions: actions() })}
        onClose={close}
      >
        {children}
      </MenuButton>
      {menu && <ActionList id={listId} label={label} {...menu} onClose={close} />}
    </>
  );
}
