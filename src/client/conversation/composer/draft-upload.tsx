import { useEffect, useEffectEvent, useState } from 'react';
import { StillNote, useIsAnimated } from '../../images/still-note.tsx';
import { UploadControl } from '../../images/upload/upload-control.tsx';
import { useImageUpload } from '../../images/upload/use-image-upload.ts';
import { useObjectUrl } from '../../images/use-object-url.ts';
import { readLocalFile } from '../../storage/local-files.ts';
import { commentImageSources } from '../../ui/image-sources.ts';
import { Alert } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import styles from './comment-images-field.module.css';
import type { DraftUpload } from './composer-draft.ts';

const imageLost = 'Esta imagen no llegó a subirse y el navegador no la ha conservado.';

export interface UploadedImage {
  url: string;
  file: File | null;
  isAnimated: boolean;
}

interface PendingUploadProps {
  pending: DraftUpload;
  onStored: (image: UploadedImage) => void;
  onRemoved: () => void;
}

/** Uploads a file as soon as it is first rendered. */
export function PendingUpload({ pending: { key, name }, onStored, onRemoved }: PendingUploadProps) {
  /** Null when the browser did not keep the file while the page was closed; undefined until this is known. */
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
    let isOver = false;
    void readLocalFile(key).then((stored) => isOver || start(stored));
    return () => {
      isOver = true;
    };
  }, [key]);

  const reason = file === null ? imageLost : upload.message;
  const cancel = () => {
    upload.cancel();
    onRemoved();
  };
  return (
    <div className={`row ${styles.pending}`}>
      {file !== null && <Preview file={file} />}
      <div className="stack tight">
        <p className="note">
          <bdi>{name}</bdi>
        </p>
        {isAnimated && !reason && <StillNote />}
        {file && <UploadControl upload={{ ...upload, cancel }} />}
        {file === null && <Alert>{`${imageLost} Elígela otra vez.`}</Alert>}
        {reason && (
          <button type="button" className={buttons.quiet} onClick={cancel}>
            {commentTexts.remove}
          </button>
        )}
      </div>
    </div>
  );
}

/** Shows the image from the local file, which needs no connection; otherwise from the server. */
export function Preview({ url, file }: { url?: string; file: File | null | undefined }) {
  const fileUrl = useObjectUrl(file);
  return (
    <img
      {...(file || !url ? { src: fileUrl ?? undefined } : commentImageSources(url, 2))}
      className={styles.preview}
      width={112}
      height={84}
      alt=""
    />
  );
}
