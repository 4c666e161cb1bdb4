import { useState } from 'react';
import { readDraft, useDraft } from '../storage/drafts.ts';
import { useWait, type Wait } from '../uploads/use-wait.ts';
import type { CommentDraft } from './comment-draft.ts';

/** Lets a form wait for the images that are being uploaded, before it sends its draft. */
export interface UploadWait extends Pick<Wait<boolean>, 'isWaiting' | 'cancel'> {
  /** Which images have to be chosen again before the draft can be sent, and why; null if none has kept it from that. */
  failure: string | null;
  /** Resolves once all images are stored; to false when one of them fails or the wait is canceled. */
  untilStored: () => Promise<boolean>;
  /** @param reason why an upload has failed, or null */
  noteState: (key: string, reason: string | null) => void;
}

export function useUploadWait(draft: CommentDraft): UploadWait {
  const imageCount = useDraft(draft, ({ images }) => images.length);
  const uploads = useDraft(draft, ({ uploads }) => uploads);
  const [reasons, setReasons] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [hasTried, setTried] = useState(false);
  const failures = uploads.flatMap(({ key }, index) => {
    const reason = reasons.get(key);
    return reason ? `Elige otra vez la imagen ${imageCount + index + 1}. ${reason}` : [];
  });
  const isOver = uploads.length === 0 || failures.length > 0;
  const { isWaiting, untilKnown, cancel } = useWait(isOver ? uploads.length === 0 : undefined);

  return {
    isWaiting,
    failure: hasTried && !isWaiting && failures.length > 0 ? failures.join(' ') : null,
    async untilStored() {
      if (readDraft(draft).uploads.length === 0) return true;
      setTried(true);
      return (await untilKnown()) === true;
    },
    cancel,
    noteState: (key, reason) => setReasons((known) => new Map(known).set(key, reason)),
  };
}
