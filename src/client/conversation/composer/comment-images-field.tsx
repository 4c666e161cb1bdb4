import { type ChangeEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '../../../shared/limits.ts';
import { preloadUploader } from '../../images/upload/use-image-upload.ts';
import { useDroppedImages } from '../../images/use-dropped-images.ts';
import { acceptedImages } from '../../images/use-image-input.ts';
import { useUser } from '../../state/store-provider.tsx';
import { readDraft, useDraft } from '../../storage/drafts.ts';
import { ImagePlus } from '../../ui/account-icons.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { commentImageSources } from '../../ui/image-sources.ts';
import { Alert } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import { AddMenu } from './add-menu.tsx';
import styles from './comment-images-field.module.css';
import {
  addUploads,
  type ComposerDraft,
  changeComposer,
  finishUpload,
  removeUpload,
} from './composer-draft.ts';
import { PendingUpload, Preview } from './draft-upload.tsx';

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
  const images = useDraft(draft, ({ images }) => images);
  const uploads = useDraft(draft, ({ uploads }) => uploads);
  const [hasTooMany, setTooMany] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const count = images.length + uploads.length;

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
  const changeImages = (change: (shown: typeof images) => typeof images, isTyping: boolean) =>
    changeComposer(draft, { images: change(readDraft(draft).images) }, isTyping);

  return (
    <>
      {count > 0 && (
        <ul className="stack" aria-label="Imágenes del comentario">
          {images.map(({ url, alt }, index) => (
            <li key={url} className={styles.item}>
              <Preview {...commentImageSources(url, 2)} />
              <div className={styles.alt}>
                <Description
                  label={`¿Qué se ve en la foto${images.length > 1 ? ` ${index + 1}` : ''}? (opcional)`}
                  isLocked={isLocked}
                  alt={alt}
                  onChange={(alt) =>
                    changeImages(
                      (shown) => shown.map((image) => (image.url === url ? { url, alt } : image)),
                      true,
                    )
                  }
                />
              </div>
              {!isLocked && (
                <button
                  type="button"
                  className={buttons.quiet}
                  aria-label={`Quitar la imagen ${index + 1}`}
                  onClick={() =>
                    removeAndFocus(() =>
                      changeImages((shown) => shown.filter((image) => image.url !== url), false),
                    )
                  }
                >
                  {commentTexts.remove}
                </button>
              )}
            </li>
          ))}
          {uploads.map((upload) => (
            <li key={upload.key}>
              <PendingUpload
                pending={upload}
                onStored={(url) => finishUpload(draft, upload, url)}
                onRemoved={() => removeAndFocus(() => removeUpload(draft, upload))}
              />
            </li>
          ))}
        </ul>
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
            onFocus={preloadUploader}
            onChange={choose}
          />
        </p>
        {!isLocked && <AddMenu draft={draft} />}
        {children}
      </div>
    </>
  );
}

interface DescriptionProps {
  label: string;
  isLocked: boolean;
  alt: string;
  onChange: (alt: string) => void;
}

/** The field of an image's alternative text, which is a line to press until it has a text or is asked for. */
function Description({ label, isLocked, alt, onChange }: DescriptionProps) {
  const [isOpen, setOpen] = useState(alt !== '');
  if (!isOpen && alt === '') {
    return (
      !isLocked && (
        // Phones open the keyboard only for a field that is focused during the event.
        <button
          type="button"
          className="bare target"
          onClick={() => flushSync(() => setOpen(true))}
        >
          {label}
        </button>
      )
    );
  }
  return (
    <TextField
      label={label}
      hint="Para quien no pueda verla."
      dir="auto"
      autoComplete="off"
      readOnly={isLocked}
      autoFocus={alt === ''}
      value={alt}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
