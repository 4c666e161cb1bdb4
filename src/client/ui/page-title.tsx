import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** Focuses the heading of the page, or <main> while it has none. */
export const focusTitle = (options?: FocusOptions) =>
  (document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main'))?.focus(
    options,
  );

/** The heading of a page, which gets the focus when the page changes. */
export function PageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);

  // While the page was loading, <main> had the focus.
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
