import { type KeyboardEvent, type RefObject, useState } from 'react';

interface CancelingOptions {
  form: RefObject<HTMLFormElement | null>;
  /** Whether it was submitted, which answers whether to discard. */
  isBusy: boolean;
  /** Whether it is too late to cancel, since a request is on its way; `isBusy` by default. */
  isSending?: boolean;
  /** Whether nothing would be lost. */
  canEnd: () => boolean;
  /** Discards what was typed, and closes the form if it is one that closes. */
  end: () => void;
}

/** Cancels a form by a button or Escape, and asks before that discards anything. */
export function useCanceling({ form, isBusy, isSending = isBusy, canEnd, end }: CancelingOptions) {
  const [isAsking, setAsking] = useState(false);
  const [wasBusy, setWasBusy] = useState(isBusy);
  if (wasBusy !== isBusy) {
    setWasBusy(isBusy);
    if (isBusy) setAsking(false);
  }
  const onKeepEditing = () => {
    setAsking(false);
    form.current?.querySelector('textarea')?.focus();
  };
  const onDiscard = () => {
    setAsking(false);
    end();
  };
  const onCancel = () => {
    if (isSending) return;
    if (canEnd()) end();
    else if (isAsking) onKeepEditing();
    else setAsking(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onCancel();
  };
  return {
    onKeyDown,
    /** For `EditButtons`. */
    buttons: { isAsking, isBusy, isSending, onCancel, onDiscard, onKeepEditing },
  };
}
