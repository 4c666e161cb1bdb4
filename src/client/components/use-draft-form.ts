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
import { offerText } from './copy-text.ts';
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
  /** The message in the status bar when sending fails after the form was left. */
  failedText: (failure: Failure) => string;
  onSent: (value: Output) => void;
  onCancel: () => void;
}

/** The page and whose it is. Its list of comments may be another at the same path. */
const currentPlace = () => currentUserId() + location.pathname;

/**
 * A form with one text, which is stored as a draft until it is sent or discarded. Ctrl and Enter send it. When the list
 * item or page around the form is removed, or sending fails after the form was left, the user is told, and can copy the
 * text. A stored text stays, since the form may be opened again: the comment may only be out of the list, or shown again
 * by a moderator.
 */
export function useDraftForm<Output>({
  draft,
  isStored = true,
  first,
  send,
  failedText,
  onSent,
  onCancel,
}: DraftFormOptions<Output>) {
  const form = useRef<HTMLFormElement>(null);
  const stored = useDraft(draft, (content) => content.text);
  const [typed, setTyped] = useState('');
  const text = isStored ? stored : typed;
  const write = isStored ? (value: string) => changeDraft(draft, { text: value }) : setTyped;
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [first]);

  /** An element that is removed with the form's subject, but not with the form alone; null once the form has ended. */
  const around = useRef<Element | null>(null);
  const [place] = useState(currentPlace);
  const [userId] = useState(currentUserId);
  const leave = () => {
    around.current = null;
    discardDraft(draft);
  };
  const offer = (said: string) => offerText(said, readDraft(draft).text || text);
  const giveBack = (said: string) => {
    offer(said);
    leave();
  };
  const isSubjectGone = () => currentPlace() === place && around.current?.isConnected === false;
  const { isBusy, onSubmit } = useSubmit(async (submitted, isShown) => {
    setFailure(null);
    const result = await send(text.trim(), submitted, giveBack);
    if (result.ok) {
      leave();
      return onSent(result.value);
    }
    setFailure(result);
    // One that removed its subject may have succeeded, although its answer was lost.
    if (!isShown() && around.current && currentUserId() === userId)
      offer(isSubjectGone() ? subjectTexts.gone : failedText(result));
  });
  // A request that is on its way may itself have removed it.
  const onRemoved = useEffectEvent(() => {
    if (!isBusy && isSubjectGone()) offer(subjectTexts.gone);
  });
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
    canEnd: () => text === '',
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
