import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** Moves the focus to the heading of the page. */
export const focusTitle = () => document.querySelector<HTMLElement>('main h1')?.focus();

/** The heading of a page, which gets the focus when the page changes. */
export function PageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);

  // If the page's script was still loading when the page changed, <main> has the focus meanwhile.
  useLayoutEffect(() => {
    if (document.activeElement?.localName === 'main')
      heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}
