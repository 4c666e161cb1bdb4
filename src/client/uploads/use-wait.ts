import { useEffect, useRef, useState } from 'react';
import { showStatus } from '../components/status-bar.tsx';

/** Lets a form wait for images that are being uploaded. */
export interface Wait<Outcome> {
  isWaiting: boolean;
  /** Resolves to the outcome once it is known; to undefined when the wait is canceled. */
  untilKnown: () => Promise<Outcome | undefined>;
  cancel: () => void;
}

/** @param outcome undefined while an image is being uploaded */
export function useWait<Outcome>(outcome: Outcome | undefined): Wait<Outcome> {
  const [wait, setWait] = useState<{ end: (outcome?: Outcome) => void } | null>(null);
  useEffect(() => {
    if (!wait || outcome === undefined) return;
    wait.end(outcome);
    setWait(null);
  }, [wait, outcome]);

  const isWaiting = wait !== null && outcome === undefined;
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
    untilKnown() {
      const { promise, resolve } = Promise.withResolvers<Outcome | undefined>();
      setWait({ end: resolve });
      return promise;
    },
    cancel() {
      wait?.end();
      setWait(null);
    },
  };
}
