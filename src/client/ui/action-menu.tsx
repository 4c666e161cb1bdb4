import { useEffect, useId, useRef, useState } from 'react';
import styles from './action-menu.module.css';
import { Icon } from './icons.tsx';

export interface MenuAction {
  label: string;
  /** Whether the action deletes or hides content, or locks an account out. */
  destroys?: boolean;
  run: () => void;
}

interface ActionMenuProps {
  /** Name of the button for screen readers. */
  label: string;
  className?: string | undefined;
  /** Called when the menu opens. */
  actions: () => MenuAction[];
}

/** A button with three dots that opens a list of actions: a native popover, like the user menu. */
export function ActionMenu({ label, className, actions }: ActionMenuProps) {
  const id = useId();
  const [shown, setShown] = useState<MenuAction[] | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLUListElement>(null);
  /** Whether the menu was open when the button was pressed: pressing it closes the menu before the click. */
  const wasOpen = useRef(false);

  useEffect(() => {
    const menu = popover.current;
    const opener = button.current;
    if (!shown || !menu || !opener) return;
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
  }, [shown]);

  const close = () => {
    setShown(null);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="true"
        aria-expanded={shown !== null}
        aria-controls={shown ? id : undefined}
        onPointerDown={() => {
          wasOpen.current = shown !== null;
        }}
        onClick={({ detail }) => {
          const isByPointer = detail > 0;
          if (shown || (isByPointer && wasOpen.current)) close();
          else setShown(actions());
        }}
      >
        <Icon
          size={24}
          path="M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0m7 0a1 1 0 1 0 2 0 1 1 0 1 0-2 0m7 0a1 1 0 1 0 2 0 1 1 0 1 0-2 0"
        />
      </button>
      {shown && (
        <ul
          ref={popover}
          id={id}
          popover="auto"
          className={`popup ${styles.menu}`}
          aria-label={label}
          onToggle={(event) => event.newState === 'closed' && setShown(null)}
          onBlur={({ currentTarget, relatedTarget }) => {
            // Tab has moved the focus out of the menu.
            if (relatedTarget && !currentTarget.contains(relatedTarget)) setShown(null);
          }}
        >
          {shown.map((action) => (
            <li key={action.label}>
              <button
                type="button"
                className={`bare ${styles.item}`}
                data-destroys={action.destroys || undefined}
                onClick={() => {
                  close();
                  action.run();
                }}
              >
                {action.label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Minimum distance from the edges of the page, in CSS pixels: the width of its margins. */
const edge = 20;
/** Distance between the button and the list, in CSS pixels. */
const gap = 4;
