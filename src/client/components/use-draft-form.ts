import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Failure, Result } from '../api/failures.ts';
import { changeDraft, type Draft, discardDraft, useDraft } from '../storage/drafts.ts';
import { useCanceling } from './use-canceling.ts';
import { useSubmit } from './use-submit.ts';

interface DraftFormOptions<Output> {
  draft: Draft<{ text: string }>;
  /** Whether the text outlives the page. A guest's does not, since others may use the same browser. */
  isStored?: boolean;
  /** Selects the control that gets the focus at first. */
  first: string;
  send: (text: string, form: HTMLFormElement) => Promise<Result<Output>>;
  onSent: (value: Output) => void;
  onCancel: () => void;
}

/** A form with one text, which is stored as a draft until it is sent or discarded. Ctrl and Enter send it. */
export function useDraftForm<Output>({
  draft,
  isStored = true,
  first,
  send,
  onSent,
  onCancel,
}: DraftFormOptions<Output>) {
  const form = useRef<HTMLFormElement>(null);
  const stored = useDraft(draft, (content) => content.text);
  const [typed, setTyped] = useState('');
  const text = isStored ? stored : typed;
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [first]);

  const { isBusy, onSubmit } = useSubmit(async (submitted) => {
    setFailure(null);
    const result = await send(text.trim(), submitted);
    if (!result.ok) return setFailure(result);
    discardDraft(draft);
    onSent(result.value);
  });
  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    canEnd: () => text.trim() === '',
    end() {
      discardDraft(draft);
      onCancel();
    },
  });
  return {
    failure,
    form: { ref: form, method: 'post', onSubmit, onKeyDown },
    field: {
      value: text,
      onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) =>
        isStored ? changeDraft(draft, { text: target.value }) : setTyped(target.value),
      onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) form.current?.requestSubmit();
      },
    },
    buttons,
  };
}
