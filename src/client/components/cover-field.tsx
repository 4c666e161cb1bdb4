import { type ChangeEvent, useEffect, useId, useState } from 'react';
import { accountTexts } from '../account-texts.ts';
import styles from './cover-field.module.css';
import { Check, ImagePlus } from './icons.tsx';
import { Alert } from './notice.tsx';
import { UploadControl } from './upload-control.tsx';
import { acceptedImages, useImageUpload } from './use-image-upload.ts';

interface CoverFieldProps {
  /** The cover's download URL once it is uploaded; null while there is none. */
  onChange: (cover: string | null) => void;
  error: string | undefined;
}

interface Chosen {
  file: File;
  previewUrl: string;
}

/** The file input lies over its whole box: a click anywhere chooses, and a file can be dropped. */
export function CoverField({ onChange, error }: CoverFieldProps) {
  const id = useId();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const upload = useImageUpload('cover', onChange);
  const isUploaded = upload.status === 'success';

  useEffect(() => () => URL.revokeObjectURL(chosen?.previewUrl ?? ''), [chosen]);

  const onChoose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // Empty again, so that the same file can be chosen once more.
    event.currentTarget.value = '';
    if (!file) return;
    onChange(null);
    setChosen({ file, previewUrl: URL.createObjectURL(file) });
    upload.start(file);
  };

  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {accountTexts.coverImage}
      </label>
      <div className={styles.box}>
        <input
          id={id}
          className={styles.input}
          type="file"
          accept={acceptedImages}
          aria-describedby={`${id}-hint`}
          onChange={onChoose}
        />
        {chosen && upload.status !== 'canceled' ? (
          <>
            {(upload.status !== 'error' || upload.canResume) && (
              <img className={styles.preview} src={chosen.previewUrl} alt="" />
            )}
            <div className={styles.facts}>
              {isUploaded && <Uploaded />}
              <p className={styles.file}>{`${chosen.file.name} · ${sizeText(chosen.file.size)}`}</p>
              <div className={styles.control}>
                <UploadControl upload={upload} />
              </div>
              <p className={styles.change}>{accountTexts.coverChange}</p>
            </div>
          </>
        ) : (
          <p className={styles.choose}>
            <ImagePlus size={28} />
            {accountTexts.coverChoose}
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

function Uploaded() {
  return (
    <p className={styles.uploaded} role="status">
      <Check size={20} label={accountTexts.coverUploaded} />
      <span aria-hidden="true">{accountTexts.coverUploaded}</span>
    </p>
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1).replace('.', ',')} MB`;
}
