import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { Check, ImagePlus } from '../account/account-icons.tsx';
import { accountTexts } from '../account/account-texts.ts';
import { Alert } from '../components/notice.tsx';
import { sizeText } from '../uploads/byte-texts.ts';
import { UploadControl } from '../uploads/upload-control.tsx';
import { useDroppedImage } from '../uploads/use-dropped-image.ts';
import { acceptedImages } from '../uploads/use-image-upload.ts';
import styles from './cover-field.module.css';
import type { Cover } from './use-cover.ts';

interface CoverFieldProps {
  cover: Cover;
  error: string | undefined;
}

/** The file input lies over its whole box; an image can be dropped and pasted as well. */
export function CoverField({ cover, error }: CoverFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { shown, upload, take } = cover;
  const isRefused = upload.status === 'error' && !upload.canResume;
  const previewUrl = useObjectUrl(shown?.file);
  const isDragged = useDroppedImage(take);

  const onChoose = (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.currentTarget.files?.[0];
    // Empty again, so that the same file can be chosen once more.
    event.currentTarget.value = '';
    if (picked) take(picked);
  };
  const cancel = () => {
    upload.cancel();
    // The button that was pressed is gone.
    input.current?.focus();
  };

  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {accountTexts.coverImage}
      </label>
      <div className={`${styles.box} ${isDragged ? styles.dragged : ''}`}>
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="file"
          accept={acceptedImages}
          aria-describedby={`${id}-hint`}
          onChange={onChoose}
        />
        {shown ? (
          <>
            {previewUrl && (shown.isUploaded || !isRefused) && (
              <img className={styles.preview} src={previewUrl} alt="" />
            )}
            <div className={styles.facts}>
              {shown.isUploaded && <Uploaded />}
              <p className={styles.file}>{`${shown.file.name} · ${sizeText(shown.bytes)}`}</p>
              <div className={styles.control}>
                <UploadControl upload={{ ...upload, cancel }} />
              </div>
              <p className={styles.change}>
                {isDragged ? accountTexts.coverDrop : accountTexts.coverChange}
              </p>
            </div>
          </>
        ) : (
          <p className={styles.choose}>
            <ImagePlus size={28} />
            {isDragged ? accountTexts.coverDrop : accountTexts.coverChoose}
          </p>
        )}
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {accountTexts.coverHint}
      </p>
      {error && <Alert>{error}</Alert>}
    </div>
  );
}

/** An address under which the page can show a file, as long as it does. */
function useObjectUrl(file: File | undefined): string | null {
  const [made, setMade] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    setMade({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return made && made.file === file ? made.url : null;
}

function Uploaded() {
  return (
    <p className={styles.uploaded} role="status">
      <Check size={20} label={accountTexts.coverUploaded} />
      <span aria-hidden="true">{accountTexts.coverUploaded}</span>
    </p>
  );
}
