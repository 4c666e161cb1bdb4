import { useEffect, useEffectEvent, useState } from 'react';
import buttons from '../components/button.module.css';
import { Alert } from '../components/notice.tsx';
import { withTabLock } from '../storage/tab-lock.ts';
import { readLocalFile } from '../uploads/local-files.ts';
import { StillNote, useIsAnimated } from '../uploads/still-note.tsx';
import { UploadControl } from '../uploads/upload-control.tsx';
import { useImageUpload } from '../uploads/use-image-upload.ts';
import type { DraftUpload } from './comment-draft.ts';
import styles from './comment-images-field.module.css';
import { commentTexts } from './comment-texts.ts';
import type { UploadWait } from './use-upload-wait.ts';

const imageLost = 'Esta imagen no llegó a subirse y el navegador no la ha conservado.';

export interface UploadedImage {
  url: string;
  file: File | null;
  isAnimated: boolean;
}

interface PendingUploadProps {
  pending: DraftUpload;
  wait: UploadWait;
  onStored: (image: UploadedImage) => void;
  onRemoved: () => void;
}

/** Uploads a file from when it is first rendered, in one tab at a time. */
export function PendingUpload({
  pending: { key, name },
  wait,
  onStored,
  onRemoved,
}: PendingUploadProps) {
  /** Null when the browser did not keep it while the page was closed, undefined until it is known. */
  const [file, setFile] = useState<File | null>();
  const isAnimated = useIsAnimated(file);
  const upload = useImageUpload('comment', (url) =>
    onStored({ url, file: upload.file, isAnimated }),
  );
  const start = useEffectEvent((stored: File | null) => {
    setFile(stored);
    if (stored) upload.start(stored);
  });
  useEffect(() => {
    const end = Promise.withResolvers<void>();
    let isOver = false;
    withTabLock(`upload ${key}`, async () => {
      const stored = await readLocalFile(key);
      if (isOver) return;
      start(stored);
      await end.promise;
    });
    return () => {
      isOver = true;
      end.resolve();
    };
  }, [key]);

  const reason = file === null ? imageLost : upload.message;
  const reportState = useEffectEvent(wait.noteState);
  useEffect(() => reportState(key, reason), [key, reason]);

  // Sending the comment resumes a paused upload, and pausing it calls the sending back.
  const { isWaiting } = wait;
  const resume = useEffectEvent(() => upload.status === 'paused' && upload.resume());
  useEffect(() => {
    if (isWaiting) resume();
  }, [isWaiting]);
  const pause = () => {
    wait.cancel();
    upload.pause();
  };

  const cancel = () => {
    upload.cancel();
    onRemoved();
  };
  return (
    <div className={`stack tight ${styles.pending}`}>
      <p className="note">
        <bdi>{name}</bdi>
      </p>
      {isAnimated && !reason && <StillNote />}
      {file && <UploadControl upload={{ ...upload, pause, cancel }} />}
      {file === undefined && isWaiting && (
        <p role="status">Se está subiendo en otra pestaña. Si está en pausa, reanúdala allí.</p>
      )}
      {file === null && <Alert>{`${imageLost} Elígela otra vez.`}</Alert>}
      {reason && (
        <button type="button" className={buttons.quiet} onClick={cancel}>
          {commentTexts.remove}
        </button>
      )}
    </div>
  );
}
