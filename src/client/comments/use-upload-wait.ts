import { useEffect, useRef, useState } from 'react';
import { showStatus } from '../components/status-bar.tsx';
import { readDraft, useDraft } from '../storage/drafts.ts';
import type { CommentDraft } from './comment-draft.ts';

/** Lets a form wait for the images that are being uploaded, before it sends its draft. */
export interface UploadWait {
  isWaiting: boolean;
  /** Which images have to be chosen again before the draft can be sent, and why; null if none has kept it from that. */
  failure: string | null;
  /** Resolves once all images are stored; to false when one of them fails or the wait is canceled. */
  untilStored: () => Promise<boolean>;
  cancel: () => void;
  /** @param reason why an upload has failed, or null */
  noteState: (key: string, reason: string | null) => void;
}

export function useUploadWait(draft: CommentDraft): UploadWait {
  const imageCount = useDraft(draft, ({ images }) => images.length);
  const uploads = useDraft(draft, ({ uploads }) => uploads);
  const [reasons, setReasons] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [wait, setWait] = useState<{ end: (areStored: boolean) => void } | null>(null);
  const [hasTried, setTried] = useState(false);
  const failures = uploads.flatMap(({ key }, index) => {
    const reason = reasons.get(key);
    return reason ? `Elige otra vez la imagen ${imageCount + index + 1}. ${reason}` : [];
  });
  const isOver = uploads.length === 0 || failures.length > 0;

  const cancel = () => {
    wait?.end(false);
    setWait(null);
  };
  useEffect(() => {
    if (!wait || !isOver) return;
    wait.end(uploads.length === 0);
    setWait(null);
  }, [wait, isOver, uploads]);

  const isWaiting = wait !== null && !isOver;
  const wasWaiting = useRef(false);
  useEffect(() => {
    wasWaiting.current = isWaiting;
    if (!isWaiting) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isWaiting]);
  useEffect(
    () => () => {
      if (wasWaiting.current)
        showStatus({
          text: 'No se ha enviado: la imagen aún se estaba subiendo. Lo que escribías se ha guardado.',
        });
    },
    [],
  );

  return {
    isWaiting,
    failure: hasTried && !wait && failures.length > 0 ? failures.join(' ') : null,
    async untilStored() {
      if (readDraft(draft).uploads.length === 0) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setTried(true);
      setWait({ end: resolve });
      return promise;
    },
    cancel,
    noteState: (key, reason) => setReasons((known) => new Map(known).set(key, reason)),
  };
}
