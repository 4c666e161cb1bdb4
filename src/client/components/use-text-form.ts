import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Failure, Result } from '../api/failures.ts';
import { useUser } from '../state/store-provider.tsx';
import { subjectTexts } from '../subject-texts.ts';
import { showStatus } from './status-bar.tsx';
import { useCanceling } from './use-canceling.ts';
import { useSubmit } from './use-submit.ts';

interface TextFormOptions<Output> {
  /** What the text is about: a form about the same that is opened later on the same page continues it. */
  about: string;
  /** Selects the control that gets the focus at first. */
  first: string;
  /** @returns null for a refusal that was shown already, after which the form is not needed any more */
  send: (text: string, form: HTMLFormElement) => Promise<Result<Output> | null>;
  /** The message in the status bar when sending fails after the form was left. */
  failedText: (failure: Failure) => string;
  onSent: (value: Output) => void;
  onCancel: () => void;
}

/** The texts of forms that were closed neither by sending nor by discarding them, by account and subject. */
const unsent = new Map<string, string>();

/** A form with one text, which lasts as long as the page. Ctrl and Enter send it. */
export function useTextForm<Output>({
  about,
  first,
  send,
  failedText,
  onSent,
  onCancel,
}: TextFormOptions<Output>) {
  const form = useRef<HTMLFormElement>(null);
  const key = `${useUser().id} ${about}`;
  const [text, setText] = useState(() => unsent.get(key) ?? '');
  const write = (value: string) => {
    setText(value);
    if (value) unsent.set(key, value);
    else unsent.delete(key);
  };
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [first]);
  const { isBusy, onSubmit } = useSubmit(async (submitted, isShown) => {
    setFailure(null);
    const result = await send(text.trim(), submitted);
    if (!result || result.ok) unsent.delete(key);
    if (!result) return;
    if (result.ok) return onSent(result.value);
    setFailure(result);
    if (!isShown()) showStatus({ text: failedText(result) });
  });
  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    canEnd: () => text === '',
    end() {
      unsent.delete(key);
      onCancel();
    },
  });
  return {
    failure,
    form: { ref: form, method: 'post', onSubmit, onKeyDown },
    field: {
      value: text,
      // A text typed while the form is sent would be lost when the form is removed.
      readOnly: isBusy,
      // Without a text of spaces only, which `required` would let through.
      onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) =>
        write(target.value.trim() && target.value),
      onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) form.current?.requestSubmit();
      },
    },
    buttons: { ...buttons, question: subjectTexts.discard },
  };
}
