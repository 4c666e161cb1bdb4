import { useEffect, useState } from 'react';
import { useLossWarning } from './use-loss-warning.ts';

const leftText =
  'No se ha enviado: la imagen aún se estaba subiendo. Lo que estabas escribiendo se ha guardado.';

/** Lets a form wait for images that are being uploaded. */
export interface UploadGate<Outcome> {
  isWaiting: boolean;
  /** Resolves to the outcome once it is known, or to undefined when the wait is cancelled. */
  untilKnown: () => Promise<Outcome | undefined>;
  cancel: () => void;
}

/** @param outcome undefined while an image is being uploaded */
export function useUploadGate<Outcome>(outcome: Outcome | undefined): UploadGate<Outcome> {
  const [wait, setWait] = useState<{ end: (outcome?: Outcome) => void } | null>(null);
  useEffect(() => {
    if (!wait || outcome === undefined) return;
    wait.end(outcome);
    setWait(null);
  }, [wait, outcome]);

  const isWaiting = wait !== null && outcome === undefined;
  useLossWarning(isWaiting, leftText);

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
