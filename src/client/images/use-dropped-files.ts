import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes files dropped or pasted anywhere on the page. A file dropped beside the input would otherwise replace the
 * page and lose unsent text.
 * @param area limits this to files dropped or pasted in an element, which takes them before the page does
 * @returns whether files are being dragged over the page or the area
 */
export function useDroppedFiles(
  take: (files: File[]) => void,
  area?: RefObject<HTMLElement | null> | undefined,
): boolean {
  const [isDragged, setDragged] = useState(false);
  const takeFiles = useEffectEvent(take);

  useEffect(() => {
    const target = area?.current ?? document.documentElement;
    const controller = new AbortController();
    const { signal } = controller;
    const takeFrom = (event: Event, data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented) return;
      event.preventDefault();
      takeFiles(files);
    };
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragged(true);
    };

    const onDragLeave = (event: DragEvent) => {
      // Without a related target, the pointer has left the window.
      if (event.relatedTarget === null) setDragged(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragged(false);
      takeFrom(event, event.dataTransfer);
    };
    const onPaste = (event: ClipboardEvent) => {
      // Office suites add an image when text is copied.
      const isText = event.clipboardData?.types.includes('text/plain');
      if (!isText) takeFrom(event, event.clipboardData);
    };

    target.addEventListener('dragover', onDragOver, { signal });
    target.addEventListener('dragleave', onDragLeave, { signal });
    target.addEventListener('drop', onDrop, { signal });
    target.addEventListener('paste', onPaste, { signal });
    return () => controller.abort();
  }, [area]);

  return isDragged;
}
