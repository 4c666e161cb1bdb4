import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react';
import { UploadControl } from '../../images/upload/upload-control.tsx';
import { useImageUpload } from '../../images/upload/use-image-upload.ts';
import { useObjectUrl } from '../../images/use-object-url.ts';
import { readLocalFile } from '../../storage/local-files.ts';
import { Alert } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import styles from './comment-images-field.module.css';
import type { DraftUpload } from './composer-draft.ts';

const imageLost = 'Esta imagen no llegó a subirse y el navegador no la ha conservado.';

interface PendingUploadProps {
  pending: DraftUpload;
  onStored: (url: string) => void;
  onRemoved: () => void;
}

/** Uploads a file as soon as it is first rendered. */
export function PendingUpload({ pending: { key, name }, onStored, onRemoved }: PendingUploadProps) {
  /** Null when the browser did not keep the file while the page was closed; undefined until this is known. */
  const [file, setFile] = useState<File | null>();
  const upload = useImageUpload('comment', onStored);
  const fileUrl = useObjectUrl(file);
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
      {file !== null && <Preview src={fileUrl ?? undefined} />}
      <div className="stack tight">
        <p className="note">
          <bdi>{name}</bdi>
        </p>
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

/** Shows a file until it is stored, then the stored image, as it will be published: without movement. */
export const Preview = (image: ComponentProps<'img'>) => (
  <img {...image} className={styles.preview} width={112} height={84} alt="" />
);
