import { type FormEvent, useEffect, useRef, useState } from 'react';

/**
 * Runs `send` for a submitted form, one at a time. `isShown` says whether the form still is: when
 * its page was left, or became another person's, an answer must not lead anywhere.
 */
export function useSubmit(send: (form: HTMLFormElement, isShown: () => boolean) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);

  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await send(event.currentTarget, () => shown.current);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };

  return { isBusy, onSubmit };
}

/** The text of a form's field, as typed. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
