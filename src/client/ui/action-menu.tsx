import { useId, useRef, useState } from 'react';
import type { MenuAction } from './action-list.tsx';
import icons from './icons.module.css';
import { lazyPart } from './loading/lazy-part.tsx';

const ActionList = lazyPart(async () => (await import('./action-list.tsx')).ActionList, {
  isQuiet: true,
});

/** Preloads the list of actions, so that menus can be opened while offline. */
export function preloadMenus(): void {
  ActionList.load().catch(() => {});
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
  /** Whether the menu was open when the button was pressed: pressing it closes the menu before the click. */
  const wasOpen = useRef(false);

  const close = () => {
    setShown(null);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${icons.dots} ${className ?? ''}`}
        aria-label={label}
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
      />
      {shown && (
        <ActionList
          id={id}
          label={label}
          opener={button}
          actions={shown}
          onClose={() => setShown(null)}
          onChoice={close}
        />
      )}
    </>
  );
}
