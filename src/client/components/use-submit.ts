import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useExclusive } from './use-exclusive.ts';

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
  const [responses, setResponses] = useState(0);
  const submitted = useRef<HTMLFormElement>(null);

  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  const { isBusy, run } = useExclusive(async (form: HTMLFormElement) => {
    submitted.current = form;
    await send(form, () => shown.current);
    setResponses((count) => count + 1);
  });
  // When the response is shown: the first field that it refuses gets the focus, which a busy form may not take.
  useEffect(() => {
    if (responses > 0 && !isBusy && submitted.current) focusRefusedField(submitted.current);
  }, [responses, isBusy]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    return run(event.currentTarget);
  };

  return { isBusy, onSubmit };
}

/** The text in a field of the form, or ''. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
