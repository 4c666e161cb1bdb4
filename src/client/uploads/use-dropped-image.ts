import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes a file that is dropped or pasted anywhere on the page. A file dropped beside the input would
 * otherwise replace the page, and unsent text with it.
 * @returns whether a file is being dragged over the page
 */
export function useDroppedImage(take: (file: File) => void): boolean {
  const [isDragged, setDragged] = useState(false);
  const takeFile = useEffectEvent(take);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const takeFrom = (event: Event, data: DataTransfer | null) => {
      const [file] = data?.files ?? [];
      if (!file) return;
      event.preventDefault();
      takeFile(file);
    };
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragged(true);
    };

    const onDragLeave = (event: DragEvent) => {
      // Without a related target the pointer has left the window.
      if (event.relatedTarget === null) setDragged(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragged(false);
      takeFrom(event, event.dataTransfer);
    };
    const onPaste = (event: ClipboardEvent) => {
      // Office suites add an image to text that is copied.
      const isText = event.clipboardData?.types.includes('text/plain');
      if (!isText) takeFrom(event, event.clipboardData);
    };

    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    document.addEventListener('paste', onPaste, { signal });
    return () => controller.abort();
  }, []);

  return isDragged;
}
