import { useEffect, useRef } from 'react';
import styles from './action-menu.module.css';

export interface MenuAction {
  label: string;
  /** Whether the action deletes or hides content, or locks an account out. */
  destroys?: boolean;
  /** Whether a line separates it from the actions above. */
  isApart?: boolean;
  run: () => void;
}

/** The actions of an open menu, and the button that opened it. */
export interface OpenMenu {
  opener: HTMLButtonElement;
  actions: MenuAction[];
}

interface ActionListProps extends OpenMenu {
  id: string;
  label: string;
  /** Closes the list. */
  onClose: () => void;
}

/** The list of an action menu: a popover below its button, or above it. */
export function ActionList({ id, label, opener, actions, onClose }: ActionListProps) {
  const popover = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const menu = popover.current;
    if (!menu) return;
    menu.showPopover();
    opener.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { left, top, bottom } = opener.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const page = opener.closest('main') ?? document.documentElement;
    const rightmost = page.getBoundingClientRect().right - edge - width;
    const lowest = innerHeight - gap - height;
    const above = top - gap - height;
    // A menu that fits neither below nor above its button covers the button. CSS limits its height to the window.
    const y = bottom + gap <= lowest ? bottom + gap : Math.max(gap, above < gap ? lowest : above);
    // In the top layer, absolute positions are relative to the page.
    menu.style.left = `${Math.max(edge, Math.min(left, rightmost)) + scrollX}px`;
    menu.style.top = `${y + scrollY}px`;
    menu.querySelector('button')?.focus({ preventScroll: true });
    // A turned phone. The height alone changes with the keyboard on the screen.
    const openedIn = innerWidth;
    const closeIfTurned = () => {
      if (innerWidth !== openedIn) menu.hidePopover();
    };
    addEventListener('resize', closeIfTurned);
    return () => removeEventListener('resize', closeIfTurned);
  }, [opener]);

  return (
    <ul
      ref={popover}
      id={id}
      popover="auto"
      className={`popup ${styles.menu}`}
      aria-label={label}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={(event) => {
        // It closes the menu, not a form around it.
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Tab has moved the focus out of the menu.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) onClose();
      }}
    >
      {actions.map((action) => (
        <li key={action.label} className={action.isApart ? styles.apart : undefined}>
          <button
            type="button"
            className={`bare ${styles.item}`}
            data-destroys={action.destroys || undefined}
            onClick={() => {
              onClose();
              opener.focus({ preventScroll: true });
              action.run();
            }}
          >
            {action.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Minimum distance from the edges of the page, in CSS pixels: the width of its margins. */
const edge = 20;
/** Distance between the button and the list, in CSS pixels. */
const gap = 4;
