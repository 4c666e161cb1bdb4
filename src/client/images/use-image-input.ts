import { type ChangeEvent, useRef } from 'react';
import type { ImageUpload } from './upload/use-image-upload.ts';
import { useDroppedImages } from './use-dropped-images.ts';

/** The `accept` attribute of file inputs for images. */
export const acceptedImages = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

/**
 * Takes an image chosen in a file input, dropped or pasted on the page.
 * @returns the attributes of the input; the upload, whose `cancel` also moves the focus to the input; and whether a
 * file is being dragged over the page
 */
export function useImageInput(upload: ImageUpload, take: (file: File) => void) {
  const ref = useRef<HTMLInputElement>(null);
  const isDragged = useDroppedImages(([file]) => file && take(file));
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // Reset, so that choosing the same file again fires a change event.
    currentTarget.value = '';
    if (file) take(file);
  };
  const cancel = () => {
    upload.cancel();
    // The button that had the focus is removed.
    ref.current?.focus();
  };
  return {
    input: { ref, type: 'file', accept: acceptedImages, onChange },
    upload: { ...upload, cancel },
    isDragged,
  };
}
