import { useEffect, useRef } from 'react';

/** A ref for the button that opens a form in its place: it gets the focus back when the form is closed. */
export function useOpener(isOpen: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
