import {
  type ChangeEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { limits } from '../../shared/limits.ts';
import { ImagePlus } from '../components/account-icons.tsx';
import buttons from '../components/button.module.css';
import { TextField } from '../components/field.tsx';
import { commentImageSources } from '../components/image-sources.ts';
import { Alert } from '../components/notice.tsx';
import { useUser } from '../state/store-provider.tsx';
import { changeDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { withTabLock } from '../storage/tab-lock.ts';
import { readLocalFile } from '../uploads/local-files.ts';
import { UploadControl } from '../uploads/upload-control.tsx';
import { useDroppedImages } from '../uploads/use-dropped-images.ts';
import { acceptedImages } from '../uploads/use-image-input.ts';
import { preloadUploader, useImageUpload } from '../uploads/use-image-upload.ts';
import {
  addUploads,
  type CommentContent,
  type CommentDraft,
  type DraftUpload,
  removeUpload,
} from './comment-draft.ts';
import styles from './comment-images-field.module.css';
import { commentTexts } from './comment-texts.ts';

interface CommentImagesFieldProps {
  draft: CommentDraft;
  /** Takes only images that are dropped or pasted in it. */
  area?: RefObject<HTMLElement | null>;
}

/** The images of a comment with their alternative texts, and those that are being uploaded. */
export function CommentImagesField({ draft, area }: CommentImagesFieldProps) {
  const id = useId();
  const { id: userId } = useUser();
  const images = useDraft(draft, ({ images }) => images);
  const uploads = useDraft(draft, ({ uploads }) => uploads);
  const [hasTooMany, setTooMany] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const count = images.length + uploads.length;

  const add = (files: File[]) => setTooMany(addUploads(draft, userId, files));
  useDroppedImages(add, area);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    add([...(currentTarget.files ?? [])]);
    // Emptied, so that choosing the same file again is a change.
    currentTarget.value = '';
  };
  /** Focuses the input, which the removed image may have made visible again. */
  const removeAndFocus = (removeIt: () => void) => {
    removeIt();
    requestAnimationFrame(() => input.current?.focus());
  };
  const changeImages = (change: (shown: typeof images) => typeof images) =>
    changeDraft(draft, { images: change(readDraft(draft).images) });

  return (
    <div className={styles.field}>
      {count > 0 && (
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
          {uploads.map((upload) => (
            <li key={upload.key}>
              <PendingUpload
                pending={upload}
                onStored={(url) => {
                  removeUpload(draft, upload);
                  changeImages((shown) =>
                    shown.some((one) => one.url === url) ? shown : [...shown, { url, alt: '' }],
                  );
                }}
                onRemoved={() => removeAndFocus(() => removeUpload(draft, upload))}
              />
            </li>
          ))}
        </ul>
      )}
      {hasTooMany && <Alert>{commentTexts.tooManyImages}</Alert>}
      <p className={styles.add} hidden={count >= limits.imagesPerComment}>
        <label className={buttons.quiet} htmlFor={id}>
          <ImagePlus size={20} />
          {commentTexts.addImages}
        </label>
        <input
          ref={input}
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

/** Keys of the shown uploads whose files must be chosen again. */
const lost = new Set<string>();

/** Says which image of a draft keeps it from being sent. */
export function pendingImageText({ images, uploads }: CommentContent): string {
  const index = uploads.findIndex(({ key }) => lost.has(key));
  if (index < 0) return commentTexts.imageUploading;
  return commentTexts.chooseImageAgain(images.length + index + 1);
}

interface PendingUploadProps {
  pending: DraftUpload;
  onStored: (url: string) => void;
  onRemoved: () => void;
}

/** Uploads a file from when it is first rendered, in one tab at a time. */
function PendingUpload({ pending: { key, name }, onStored, onRemoved }: PendingUploadProps) {
  const upload = useImageUpload('comment', onStored);
  /** Null when the browser did not keep it while the page was closed, undefined until it is known. */
  const [file, setFile] = useState<File | null>();
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

  const isLost = file === null || (upload.status === 'error' && !upload.canResume);
  useEffect(() => {
    if (!isLost) return;
    lost.add(key);
    return () => {
      lost.delete(key);
    };
  }, [isLost, key]);

  const cancel = () => {
    upload.cancel();
    onRemoved();
  };
  return (
    <div className={styles.pending}>
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      {file && <UploadControl upload={{ ...upload, cancel }} />}
      {file === null && <Alert>{commentTexts.imageLost}</Alert>}
      {(upload.status === 'error' || file === null) && (
        <button type="button" className={buttons.quiet} onClick={cancel}>
          {commentTexts.remove}
        </button>
      )}
    </div>
  );
}
