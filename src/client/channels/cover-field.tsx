import { useEffect, useId, useState } from 'react';
import { Check, ImagePlus } from '../account/account-icons.tsx';
import { accountTexts } from '../account/account-texts.ts';
import { Alert } from '../components/notice.tsx';
import { sizeText } from '../uploads/byte-texts.ts';
import { UploadControl } from '../uploads/upload-control.tsx';
import { useImageInput } from '../uploads/use-image-input.ts';
import styles from './cover-field.module.css';
import type { Cover } from './use-cover.ts';

interface CoverFieldProps {
  cover: Cover;
  error: string | undefined;
}

/** A box with the cover's preview and upload. The file input covers the whole box. */
export function CoverField({ cover, error }: CoverFieldProps) {
  const id = useId();
  const { shown, upload, take } = cover;
  const isRefused = upload.status === 'error' && !upload.canResume;
  const previewUrl = useObjectUrl(shown?.file);
  const chooser = useImageInput(upload, take);
  const { isDragged } = chooser;

  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {accountTexts.coverImage}
      </label>
      <div className={`${styles.box} ${isDragged ? styles.dragged : ''}`}>
        <input
          {...chooser.input}
          id={id}
          className={styles.input}
          aria-describedby={`${id}-hint`}
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
                <UploadControl upload={chooser.upload} />
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

/** An object URL of a file, revoked when the file changes or the component unmounts. */
function useObjectUrl(file: File | undefined): string | null {
  const [made, setMade] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    // biome-ignore lint/nursery/useReactCompiler: an object URL must be revoked, so an effect makes it
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
