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

    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener(
      'dragleave',
      // Without a related target the pointer has left the window.
      (event) => event.relatedTarget === null && setDragged(false),
      { signal },
    );
    document.addEventListener(
      'drop',
      (event) => {
        setDragged(false);
        takeFrom(event, event.dataTransfer);
      },
      { signal },
    );
    document.addEventListener(
      'paste',
      (event) => {
        // Office suites add an image to text that is copied.
        const isText = event.clipboardData?.types.includes('text/plain');
        if (!isText) takeFrom(event, event.clipboardData);
      },
      { signal },
    );
    return () => controller.abort();
  }, []);

  return isDragged;
}
