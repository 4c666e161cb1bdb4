import { type ChangeEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '../../../shared/limits.ts';
import { preloadUploader } from '../../images/upload/load-uploader.ts';
import { useDroppedImages } from '../../images/use-dropped-images.ts';
import { acceptedImages } from '../../images/use-image-input.ts';
import { useUser } from '../../state/store-provider.tsx';
import { useDraft } from '../../storage/drafts.ts';
import { ImagePlus } from '../../ui/account-icons.tsx';
import { Alert } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import { AddMenu } from './add-menu.tsx';
import styles from './comment-images-field.module.css';
import { addUploads, type ComposerDraft } from './composer-draft.ts';
import { DraftImages } from './draft-images-part.ts';

/** Preloads what takes the files once they are chosen. */
function preloadImages(): void {
  DraftImages.load().catch(() => {});
  preloadUploader();
}

interface CommentImagesFieldProps {
  draft: ComposerDraft;
  /** Whether the images are read-only. */
  isLocked: boolean;
  /** Whether the user tried to send the comment before its images were stored. */
  hasToWait: boolean;
  /** The buttons that end the form, in one row with the one that adds images. */
  children: ReactNode;
}

/** The images of a comment with their alternative texts, pending uploads, and the row of buttons. */
export function CommentImagesField({
  draft,
  isLocked,
  hasToWait,
  children,
}: CommentImagesFieldProps) {
  const id = useId();
  const { id: userId } = useUser();
  const count = useDraft(draft, ({ images, uploads }) => images.length + uploads.length);
  const [hasTooMany, setTooMany] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const add = (files: File[]) => setTooMany(addUploads(draft, userId, files));
  useDroppedImages((files) => isLocked || add(files));
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    add([...(currentTarget.files ?? [])]);
    // Reset, so that choosing the same file again fires a change event.
    currentTarget.value = '';
  };
  /** Focuses the file input, which may have become visible again because an image was removed. */
  const removeAndFocus = (removeIt: () => void) => {
    flushSync(removeIt);
    input.current?.focus();
  };

  return (
    <>
      {count > 0 && (
        <DraftImages draft={draft} isLocked={isLocked} removeAndFocus={removeAndFocus} />
      )}
      {hasTooMany && (
        <Alert>{`Puedes añadir hasta ${limits.imagesPerComment} imágenes por comentario.`}</Alert>
      )}
      <p role="status" className={hasToWait ? undefined : 'visually-hidden'}>
        {hasToWait && 'Espera a que termine la imagen, o quítala, y vuelve a pulsar.'}
      </p>
      <div className={`row ${styles.actions}`}>
        <p className={styles.add} hidden={isLocked || count >= limits.imagesPerComment}>
          <label className={buttons.quiet} htmlFor={id}>
            <ImagePlus size={20} />
            Añadir imágenes
          </label>
          <input
            ref={input}
            id={id}
            className="file-input"
            type="file"
            accept={acceptedImages}
            multiple
            onFocus={preloadImages}
            onChange={choose}
          />
        </p>
        {!isLocked && <AddMenu draft={draft} />}
        {children}
      </div>
    </>
  );
}
