import { type FormEvent, useEffect, useRef, useState } from 'react';

const refused = '[aria-invalid="true"]';

/**
 * Moves the focus to the first field marked as refused, unless it is in such a field already.
 * `useSubmit` calls it; a dialog that was open then calls it again when it closes.
 */
export function focusRefusedField(form: ParentNode): void {
  if (document.activeElement?.matches(refused)) return;
  form.querySelector<HTMLElement>(refused)?.focus();
}

/**
 * Runs `send` when a form is submitted, unless it is already running. `isShown` returns whether the
 * form is still mounted: after the user has left, its response must not navigate. Afterwards the first
 * field marked as refused gets the focus.
 */
export function useSubmit(send: (form: HTMLFormElement, isShown: () => boolean) => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [responses, setResponses] = useState(0);
  const isRunning = useRef(false);
  const submitted = useRef<HTMLFormElement>(null);

  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  // When the response is shown: the first field that it refuses gets the focus.
  useEffect(() => {
    if (responses > 0 && submitted.current) focusRefusedField(submitted.current);
  }, [responses]);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    submitted.current = event.currentTarget;
    setBusy(true);
    try {
      await send(event.currentTarget, () => shown.current);
    } finally {
      isRunning.current = false;
      setBusy(false);
      setResponses((count) => count + 1);
    }
  };

  return { isBusy, onSubmit };
}

/** The text in a field of the form, or ''. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
