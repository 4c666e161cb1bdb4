import { useEffect, useState } from 'react';
import { isAnimated } from './is-animated.ts';

/** Says that the image will not be animated: only its first frame is stored. */
export function StillNote() {
  return (
    <p className="note" role="status">
      Se publicará sin movimiento.
    </p>
  );
}

/** Whether the file is animated; false until that is known. */
export function useIsAnimated(file: File | null | undefined): boolean {
  const [animated, setAnimated] = useState<File | null>(null);
  useEffect(() => {
    if (!file) return;
    let isCurrent = true;
    void isAnimated(file).then((moves) => moves && isCurrent && setAnimated(file));
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return animated !== null && animated === file;
}
