import { useEffect, useEffectEvent, useRef } from 'react';
import { useUser } from '../state/store-provider.tsx';
import type { Upload } from './upload/use-upload.ts';
import { useDroppedImages } from './use-dropped-images.ts';

/** The `accept` attribute of file inputs for images. */
export const acceptedImages = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

/**
 * Takes an image chosen in a file input, also before hydration, or dropped or pasted on the page.
 * @returns the attributes of the input; the upload, whose `cancel` also moves the focus to the input; and whether a
 * file is being dragged over the page
 */
export function useImageInput(upload: Upload, take: (file: File) => void) {
  const { id: userId } = useUser();
  const ref = useRef<HTMLInputElement>(null);
  const isDragged = useDroppedImages(([file]) => file && take(file));
  const takeChosen = () => {
    const file = ref.current?.files?.[0];
    if (!ref.current || !file) return;
    // Reset, so that choosing the same file again fires a change event.
    ref.current.value = '';
    take(file);
  };
  const takeEarly = useEffectEvent(takeChosen);
  // Without an account nothing can be uploaded.
  useEffect(() => {
    if (userId) takeEarly();
  }, [userId]);
  const cancel = () => {
    upload.cancel();
    // The button that had the focus is removed.
    ref.current?.focus();
  };
  return {
    input: { ref, type: 'file', accept: acceptedImages, onChange: takeChosen },
    upload: { ...upload, cancel },
    isDragged,
  };
}
