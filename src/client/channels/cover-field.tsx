import { useId } from 'react';
import { accountTexts } from '../account-texts.ts';
import { Check, ImagePlus } from '../components/account-icons.tsx';
import fields from '../components/field.module.css';
import { sizeText } from '../uploads/byte-texts.ts';
import { UploadControl } from '../uploads/upload-control.tsx';
import { useImageInput } from '../uploads/use-image-input.ts';
import { useObjectUrl } from '../uploads/use-object-url.ts';
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
          aria-invalid={error ? true : undefined}
          aria-describedby={`${error ? `${id}-error ` : ''}${id}-hint`}
        />
        {shown ? (
          <>
            {previewUrl && (shown.isUploaded || !isRefused) && (
              <img className={styles.preview} src={previewUrl} alt="" />
            )}
            <div className={styles.facts}>
              {shown.isUploaded && <Uploaded />}
              <p className={styles.file}>{`${shown.file.name} · ${sizeText(shown.bytes)}`}</p>
              {upload.status !== 'error' && (
                <div className={styles.control}>
                  <UploadControl upload={chooser.upload} />
                </div>
              )}
              <p className={styles.change}>
                {isDragged ? accountTexts.coverDrop : accountTexts.coverChange}
              </p>
            </div>
          </>
        ) : (
          <p className={styles.choose}>
            <ImagePlus size={28} />
            {isDragged ? (
              accountTexts.coverDrop
            ) : (
              <span>
                {accountTexts.coverChoose}
                <span className={styles.mouse}>{accountTexts.coverDragOrPaste}</span>
              </span>
            )}
          </p>
        )}
      </div>
      {upload.status === 'error' && <UploadControl upload={chooser.upload} />}
      {error && (
        <p id={`${id}-error`} className={fields.error}>
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className={styles.hint}>
        {accountTexts.coverHint}
      </p>
    </div>
  );
}

function Uploaded() {
  return (
    <p className={styles.uploaded} role="status">
      <Check size={20} label={accountTexts.coverUploaded} />
      <span aria-hidden="true">{accountTexts.coverUploaded}</span>
    </p>
  );
}
