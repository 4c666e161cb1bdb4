import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react';
import type { CommentFile } from '../../../shared/files.ts';
import { UploadControl } from '../../images/upload/upload-control.tsx';
import { useUpload } from '../../images/upload/use-upload.ts';
import { useObjectUrl } from '../../images/use-object-url.ts';
import { readLocalFile } from '../../storage/local-files.ts';
import { Alert } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import type { DraftUpload } from './composer-draft.ts';
import styles from './draft-upload.module.css';

const lostTexts = {
  image: 'Esta imagen no llegó a subirse y el navegador no la ha conservado. Elígela otra vez.',
  file: 'Este archivo no llegó a subirse y el navegador no lo ha conservado. Elígelo otra vez.',
};

interface PendingUploadProps {
  pending: DraftUpload;
  onStored: (stored: CommentFile) => void;
  onRemoved: () => void;
}

/** Uploads a file as soon as it is first rendered. */
export function PendingUpload({ pending, onStored, onRemoved }: PendingUploadProps) {
  const { key, name, isFile = false } = pending;
  /** Null when the browser did not keep the file while the page was closed; undefined until this is known. */
  const [file, setFile] = useState<File | null>();
  const upload = useUpload(isFile ? 'file' : 'comment', (url, { name, size, contentType }) =>
    onStored({ url, name, size, type: contentType }),
  );
  const imageUrl = useObjectUrl(isFile ? null : file);
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

  const cancel = () => {
    upload.cancel();
    onRemoved();
  };
  return (
    <div className={`row ${styles.pending}`}>
      {file !== null && !isFile && <Preview src={imageUrl ?? undefined} />}
      <div className="stack tight">
        <p className="note">
          <bdi>{name}</bdi>
        </p>
        {file && <UploadControl upload={{ ...upload, cancel }} />}
        {file === null && <Alert>{lostTexts[isFile ? 'file' : 'image']}</Alert>}
        {(file === null || upload.message) && (
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
