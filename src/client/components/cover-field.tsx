import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { accountTexts } from '../account-texts.ts';
import { forgetDraftFile, keepDraftFile, readDraft, readDraftFile } from '../channel-draft.ts';
import { useStore } from '../state/store.tsx';
import { sizeText } from '../uploads/byte-texts.ts';
import styles from './cover-field.module.css';
import { Check, ImagePlus } from './icons.tsx';
import { Alert } from './notice.tsx';
import { UploadControl } from './upload-control.tsx';
import { useDroppedImage } from './use-dropped-image.ts';
import { acceptedImages, useImageUpload } from './use-image-upload.ts';

interface CoverFieldProps {
  /** The cover's download URL; null while there is none. */
  cover: string | null;
  onChange: (cover: string | null) => void;
  error: string | undefined;
}

interface Chosen {
  file: File;
  previewUrl: string;
}

/** The file input lies over its whole box; a picture can be dropped and pasted as well. */
export function CoverField({ cover, onChange, error }: CoverFieldProps) {
  const id = useId();
  const userId = useStore().state.user.id;
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const upload = useImageUpload('cover', onChange);
  const { status, canResume, file } = upload;
  const isRefused = status === 'error' && !canResume;
  const isOver = isRefused || status === 'canceled';

  const show = (shown: File) => setChosen({ file: shown, previewUrl: URL.createObjectURL(shown) });
  const take = (taken: File) => {
    forgetDraftFile();
    onChange(null);
    show(taken);
    upload.start(taken);
  };
  const isDragged = useDroppedImage(take);

  useEffect(() => () => URL.revokeObjectURL(chosen?.previewUrl ?? ''), [chosen]);

  const goOn = useRef((_kept: File) => {});
  goOn.current = (kept) => {
    if (chosen) return;
    show(kept);
    const uploaded = readDraft().cover;
    if (uploaded) onChange(uploaded);
    else upload.start(kept);
  };

  // What was chosen before a reload goes on from where it was.
  useEffect(() => {
    if (!userId) return;
    let isCurrent = true;
    readDraftFile(userId).then((kept) => kept && isCurrent && goOn.current(kept));
    return () => {
      isCurrent = false;
    };
  }, [userId]);

  useEffect(() => {
    if (file && userId) keepDraftFile(userId, file);
  }, [file, userId]);
  useEffect(() => {
    if (isOver) forgetDraftFile();
  }, [isOver]);

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
        {chosen && status !== 'canceled' ? (
          <>
            {!isRefused && <img className={styles.preview} src={chosen.previewUrl} alt="" />}
            <div className={styles.facts}>
              {cover && <Uploaded />}
              <p className={styles.file}>
                {`${chosen.file.name} · ${sizeText((file ?? chosen.file).size)}`}
              </p>
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

function Uploaded() {
  return (
    <p className={styles.uploaded} role="status">
      <Check size={20} label={accountTexts.coverUploaded} />
      <span aria-hidden="true">{accountTexts.coverUploaded}</span>
    </p>
  );
}
