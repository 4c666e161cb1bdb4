import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** The heading that gets the focus when the page changes. */
export function PageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);

  // On a page that was not loaded yet when it was gone to, <main> has kept the focus for it.
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
