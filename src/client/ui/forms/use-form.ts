import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Failure } from '../../api/failures.ts';
import { showStatus } from '../status/status-bar.tsx';

const refused = '[aria-invalid="true"]';

/**
 * Moves the focus to the first field marked as refused, unless it is in such a field already. A form does so when it
 * has failed; a dialog that was open then, when it closes.
 */
export function focusRefusedField(form: ParentNode): void {
  if (document.activeElement?.matches(refused)) return;
  form.querySelector<HTMLElement>(refused)?.focus();
}

export interface FormOptions<Output> {
  /** The names of the fields whose refusal is shown at them alone, not above the buttons as well. */
  fields?: readonly string[];
  /**
   * Sends what `text` reads from the fields, even if the form is left meanwhile: its element is then no longer connected.
   * @throws `Failure`
   */
  send: (text: (name: string) => string, form: HTMLFormElement) => Promise<Output>;
  /** Called unless the form was left meanwhile. */
  onSent?: ((output: Output) => void) | undefined;
  /** Closes a form that can be canceled. */
  onCancel?: (() => void) | undefined;
  /** Whether it waits before it is sent, and can still be canceled. */
  isWaiting?: boolean;
  /** Whether closing it would lose something; by default, whether a text was typed into it. */
  isTyped?: (form: HTMLFormElement) => boolean;
  /** Why it was not sent, which the status bar says once the form was left. */
  failedText?: (failure: Failure) => string;
  /** Selects what gets the focus when the form opens. */
  first?: string;
}

export type Form = ReturnType<typeof useForm>;

/** A form: sent once at a time, with the reason for a refusal, and a question before what was typed is lost. */
export function useForm<Output>({
  fields = [],
  send,
  onSent,
  onCancel,
  isWaiting = false,
  isTyped = hasText,
  failedText,
  first,
}: FormOptions<Output>) {
  const ref = useRef<HTMLFormElement>(null);
  const [isAsking, setAsking] = useState(false);
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: ({ form, content }: { form: HTMLFormElement; content: FormData }) =>
      send((name) => String(content.get(name) ?? ''), form),
    onError(failure, { form }) {
      if (failedText && !form.isConnected) showStatus({ text: failedText(failure) });
    },
  });
  const isSending = isPending && !isWaiting;
  const alertId = useId();
  const failure = error instanceof Failure ? error : null;
  const isMarked = failure?.fields.some(({ field }) => fields.includes(field));

  useEffect(() => {
    const field = first && ref.current?.querySelector<HTMLElement>(first);
    if (!field) return;
    field.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [first]);
  // A field that is being sent cannot get the focus: only when the answer is shown.
  useEffect(() => {
    if (failure && ref.current) focusRefusedField(ref.current);
  }, [failure]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    setAsking(false);
    const form = event.currentTarget;
    // Read now: fields may be disabled while it is sent.
    const submitted = { form, content: new FormData(form) };
    mutateAsync(submitted, { onSuccess: (output) => onSent?.(output) }).catch((reason: unknown) => {
      if (!(reason instanceof Failure)) throw reason;
    });
  };
  const cancel = () => {
    if (isSending || !ref.current) return;
    if (!isTyped(ref.current)) onCancel?.();
    else if (isAsking) keepEditing();
    else setAsking(true);
  };
  const keepEditing = () => {
    setAsking(false);
    const find = (field: string) => ref.current?.querySelector<HTMLElement>(field);
    (find('textarea') ?? find('input:not([hidden])'))?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    const { key, ctrlKey, metaKey, target, nativeEvent } = event;
    // A key that ends a composition, as Safari reports it too.
    if (event.defaultPrevented || nativeEvent.isComposing || event.keyCode === 229) return;
    const isText = target instanceof HTMLTextAreaElement;
    if (key === 'Enter' && (ctrlKey || metaKey) && isText) event.currentTarget.requestSubmit();
    else if (key === 'Escape' && onCancel) cancel();
    else return;
    event.preventDefault();
  };

  return {
    /** For the element. */
    props: { ref, method: 'post', onSubmit, onKeyDown },
    isBusy: isPending,
    /** Whether it is too late to cancel it. */
    isSending,
    failure,
    /** The text of a failure, but for one that is shown at a field. */
    alert: failure && !isMarked ? (failedText?.(failure) ?? failure.text) : null,
    alertId,
    /** For a field with one of the names. A text typed while the form is sent would be lost with it. */
    field: (name: string) => ({ name, error: failure?.errorOf(name), readOnly: isPending }),
    /** Takes back the failure. */
    reset,
    isAsking,
    cancel: onCancel && cancel,
    discard() {
      setAsking(false);
      onCancel?.();
    },
    keepEditing,
  };
}

/** Whether a text was typed, other than a password. */
const hasText = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLInputElement>('textarea, input')].some(
    ({ value, defaultValue, type }) =>
      value.trim() !== defaultValue.trim() && !['password', 'radio', 'checkbox'].includes(type),
  );
