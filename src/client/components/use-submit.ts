import { type FormEvent, useRef, useState } from 'react';

/** Runs `send` for a submitted form, one at a time. */
export function useSubmit(send: (form: HTMLFormElement) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await send(event.currentTarget);
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
