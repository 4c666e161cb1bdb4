import {
  type ChangeEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Failure, Result } from '../api/failures.ts';
import { changeDraft, type Draft, discardDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { currentUserId } from '../storage/session.ts';
import { subjectTexts } from '../subject-texts.ts';
import { copyText } from './copy-link.ts';
import { showStatus } from './status-bar.tsx';
import { useCanceling } from './use-canceling.ts';
import { useSubmit } from './use-submit.ts';

interface DraftFormOptions<Output> {
  draft: Draft<{ text: string }>;
  /** Whether the text outlives the page. A guest's does not, since others may use the same browser. */
  isStored?: boolean;
  /** Selects the control that gets the focus at first. */
  first: string;
  /** @param giveBack for a text that can no longer be sent: discards the draft, says so and offers to copy the text */
  send: (
    text: string,
    form: HTMLFormElement,
    giveBack: (said: string) => void,
  ) => Promise<Result<Output>>;
  onSent: (value: Output) => void;
  onCancel: () => void;
}

/** The page and whose it is. */
const currentPlace = () => currentUserId() + location.pathname + location.search;

/**
 * A form with one text, which is stored as a draft until it is sent or discarded. Ctrl and Enter send it. When the list
 * item or page around the form is removed, the user is told, and can copy the text.
 */
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

  /** An element that is removed with the form's subject, but not with the form alone; null once the form has ended. */
  const around = useRef<Element | null>(null);
  const [place] = useState(currentPlace);
  const leave = () => {
    around.current = null;
    discardDraft(draft);
  };
  const giveBack = (said: string) => {
    const typedText = readDraft(draft).text || text;
    leave();
    const action = { label: subjectTexts.copyTyped, run: () => copyText(typedText) };
    showStatus({ text: said, ...(typedText && { action }) });
  };
  const giveBackIfGone = () => {
    const hasLeft = currentPlace() !== place;
    if (!hasLeft && around.current?.isConnected === false) giveBack(subjectTexts.gone);
  };
  const { isBusy, onSubmit } = useSubmit(async (submitted) => {
    setFailure(null);
    const result = await send(text.trim(), submitted, giveBack);
    if (result.ok) {
      leave();
      return onSent(result.value);
    }
    setFailure(result);
    giveBackIfGone();
  });
  // A request that is on its way may itself have removed it.
  const onRemoved = useEffectEvent(() => isBusy || giveBackIfGone());
  useLayoutEffect(() => {
    around.current =
      form.current?.closest('li, main [tabindex]') ?? document.querySelector('main h1');
    return () => {
      requestAnimationFrame(onRemoved);
    };
  }, []);
  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    canEnd: () => text.trim() === '',
    end() {
      leave();
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
      onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) =>
        isStored ? changeDraft(draft, { text: target.value }) : setTyped(target.value),
      onKeyDown: ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) form.current?.requestSubmit();
      },
    },
    buttons: { ...buttons, question: subjectTexts.discard },
  };
}
