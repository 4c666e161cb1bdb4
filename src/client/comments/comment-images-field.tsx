import { type ChangeEvent, useEffect, useEffectEvent, useId } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '../../shared/limits.ts';
import { ImagePlus } from '../components/account-icons.tsx';
import buttons from '../components/button.module.css';
import { TextField } from '../components/field.tsx';
import { commentImageSources } from '../components/image-sources.ts';
import { Alert } from '../components/notice.tsx';
import { UploadControl } from '../uploads/upload-control.tsx';
import { acceptedImages } from '../uploads/use-image-input.ts';
import { preloadUploader, useImageUpload } from '../uploads/use-image-upload.ts';
import type { DraftStore } from './comment-draft.ts';
import styles from './comment-images-field.module.css';
import { commentTexts } from './comment-texts.ts';
import type { CommentUploads, PendingImage } from './use-comment-uploads.ts';
import { useDraft } from './use-draft.ts';

interface CommentImagesFieldProps {
  draft: DraftStore;
  uploads: CommentUploads;
}

/** The images of a comment with their alternative texts, and those that are being uploaded. */
export function CommentImagesField({ draft, uploads }: CommentImagesFieldProps) {
  const id = useId();
  const { images } = useDraft(draft);
  const { pending, add, remove, hasTooMany } = uploads;
  const isFull = images.length + pending.length >= limits.imagesPerComment;

  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    add([...(currentTarget.files ?? [])]);
    // Emptied, so that choosing the same file again is a change.
    currentTarget.value = '';
  };
  /** Focuses the input, which the removed image may have made visible again. */
  const removeAndFocus = (removeIt: () => void) => {
    flushSync(removeIt);
    document.getElementById(id)?.focus();
  };
  const changeImages = (change: (shown: typeof images) => typeof images) =>
    draft.change({ images: change(draft.read().images) });

  return (
    <div className={styles.field}>
      {images.length + pending.length > 0 && (
        <ul className={styles.list} aria-label={commentTexts.images}>
          {images.map(({ url, alt }, index) => (
            <li key={url} className={styles.item}>
              <img
                {...commentImageSources(url, 2)}
                className={styles.preview}
                width={112}
                height={84}
                alt=""
              />
              <div className={styles.alt}>
                <TextField
                  label={commentTexts.imageAlt(index + 1)}
                  hint={commentTexts.imageAltHint}
                  dir="auto"
                  autoComplete="off"
                  value={alt}
                  onChange={({ currentTarget }) =>
                    changeImages((shown) =>
                      shown.map((image) =>
                        image.url === url ? { url, alt: currentTarget.value } : image,
                      ),
                    )
                  }
                />
              </div>
              <button
                type="button"
                className={buttons.quiet}
                aria-label={commentTexts.removeImage(index + 1)}
                onClick={() =>
                  removeAndFocus(() =>
                    changeImages((shown) => shown.filter((image) => image.url !== url)),
                  )
                }
              >
                {commentTexts.remove}
              </button>
            </li>
          ))}
          {pending.map((image) => (
            <li key={image.key}>
              <PendingUpload
                image={image}
                onStored={(url) => {
                  remove(image);
                  changeImages((shown) =>
                    shown.some((one) => one.url === url) ? shown : [...shown, { url, alt: '' }],
                  );
                }}
                onRemoved={() => removeAndFocus(() => remove(image))}
              />
            </li>
          ))}
        </ul>
      )}
      {hasTooMany && <Alert>{commentTexts.tooManyImages}</Alert>}
      <p className={styles.add} hidden={isFull}>
        <label className={buttons.quiet} htmlFor={id}>
          <ImagePlus size={20} />
          {commentTexts.addImages}
        </label>
        <input
          id={id}
          className={styles.input}
          type="file"
          accept={acceptedImages}
          multiple
          onFocus={preloadUploader}
          onChange={choose}
        />
      </p>
    </div>
  );
}

interface PendingUploadProps {
  image: PendingImage;
  onStored: (url: string) => void;
  onRemoved: () => void;
}

/** Uploads a file from when it is first rendered. */
function PendingUpload({ image: { name, file }, onStored, onRemoved }: PendingUploadProps) {
  const upload = useImageUpload('comment', onStored);
  const start = useEffectEvent(() => file && upload.start(file));
  useEffect(() => {
    start();
  }, []);

  const cancel = () => {
    upload.cancel();
    onRemoved();
  };
  return (
    <div className={styles.pending}>
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      {file ? (
        <UploadControl upload={{ ...upload, cancel }} />
      ) : (
        <Alert>{commentTexts.imageLost}</Alert>
      )}
      {(upload.status === 'error' || !file) && (
        <button type="button" className={buttons.quiet} onClick={cancel}>
          {commentTexts.remove}
        </button>
      )}
    </div>
  );
}
