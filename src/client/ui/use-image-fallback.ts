import { useCallback, useState } from 'react';

/** The URL `wanted`, or `fallback` once loading it has failed, which may happen before hydration. */
export function useImageFallback(wanted: string, fallback: string) {
  const [broken, setBroken] = useState<string | null>(null);
  const onError = useCallback(() => setBroken(wanted), [wanted]);
  const ref = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0) onError();
    },
    [onError],
  );
  return { url: broken === wanted ? fallback : wanted, watch: { ref, onError } };
}
