import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Failure } from '../../api/failures.ts';
import { showStatus } from '../status/status-bar.tsx';
import { useAction } from './use-action.ts';

const refused = '[aria-invalid="true"]';

/**
 * Focuses the first field marked as invalid, unless such a field already has the focus. Called when a form has
 * failed; if a dialog was open then, when the dialog closes.
 */
export function focusRefusedField(form: ParentNode): void {
  if (document.activeElement?.matches(refused)) return;
  form.querySelector<HTMLElement>(refused)?.focus();
}

export interface FormOptions<Output> {
  /** Names of the fields that show their own errors, which are then not repeated above the buttons. */
  fields?: readonly string[];
  /**
   * Sends the form. `text` reads a field. Continues if the form is left, whose element is then no longer connected.
   * @throws `Failure`
   */
  send: (text: (name: string) => string, form: HTMLFormElement) => Promise<Output>;
  /** Not called if the form was left before the response. */
  onSent?: ((output: Output) => void) | undefined;
  /** Closes a form that can be cancelled. */
  onCancel?: (() => void) | undefined;
  /** Whether the form waits before it is sent and can still be cancelled. */
  isWaiting?: boolean;
  /** Whether closing the form would lose something; by default, whether text was typed into it. */
  isTyped?: (form: HTMLFormElement) => boolean;
  /** Why the form was not sent. Shown in the status bar if the form was left. */
  failedText?: (failure: Failure) => string;
  /** Selector of the field that gets the focus when the form opens. */
  first?: string;
}

export type Form = ReturnType<typeof useForm>;

/** A form with only one request at a time, which shows the reason for a failure and asks before typed text is lost. */
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
  const { run, isPending, error, reset } = useAction(
    ({ form, content }: { form: HTMLFormElement; content: FormData }) =>
      send((name) => String(content.get(name) ?? ''), form),
  );
  const isSending = isPending && !isWaiting;
  const failure = error instanceof Failure ? error : null;
  const isMarked = failure?.fields.some(({ field }) => fields.includes(field));

  useEffect(() => {
    const field = first && ref.current?.querySelector<HTMLElement>(first);
    if (!field) return;
    field.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [first]);
  // A field cannot get the focus while it is being sent, so this waits until the failure is rendered.
  useEffect(() => {
    if (failure && ref.current) focusRefusedField(ref.current);
  }, [failure]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    setAsking(false);
    const form = event.currentTarget;
    // Read now, since fields may be disabled during the request.
    const submitted = { form, content: new FormData(form) };
    run(submitted).then(
      (output) => form.isConnected && onSent?.(output),
      (failure: unknown) => {
        if (!(failure instanceof Failure)) throw failure;
        if (failedText && !form.isConnected) showStatus({ text: failedText(failure) });
      },
    );
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
    // A key that ends an IME composition. Safari reports it only by key code 229.
    if (event.defaultPrevented || nativeEvent.isComposing || event.keyCode === 229) return;
    const isText = target instanceof HTMLTextAreaElement;
    if (key === 'Enter' && (ctrlKey || metaKey) && isText) event.currentTarget.requestSubmit();
    else if (key === 'Escape' && onCancel) cancel();
    else return;
    event.preventDefault();
  };

  return {
    /** Attributes of the form element. */
    props: { ref, method: 'post', onSubmit, onKeyDown },
    isBusy: isPending,
    /** Whether it is too late to cancel. */
    isSending,
    failure,
    /** The text of a failure, unless a field shows it. */
    alert: failure && !isMarked ? (failedText?.(failure) ?? failure.text) : null,
    /** Attributes of a field by name. It is read-only during the request, since text typed then would be lost. */
    field: (name: string) => ({ name, error: failure?.errorOf(name), readOnly: isPending }),
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

/** Whether text was typed, other than a password. */
const hasText = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLInputElement>('textarea, input')].some(
    ({ value, defaultValue, type }) =>
      value.trim() !== defaultValue.trim() && !['password', 'radio', 'checkbox'].includes(type),
  );
