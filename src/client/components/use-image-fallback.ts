import { useCallback, useState } from 'react';

/** Shows another image where the wanted one cannot be loaded, also if it failed before hydration. */
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
