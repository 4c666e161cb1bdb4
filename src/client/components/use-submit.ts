import { type FormEvent, useEffect, useRef, useState } from 'react';

/**
 * Runs `send` when a form is submitted, unless it is already running. `isShown` returns whether the
 * form is still mounted: after the user has left, its response must not navigate.
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

/** The text in a field of the form, or ''. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
