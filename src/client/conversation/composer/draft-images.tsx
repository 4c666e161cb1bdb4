import { useState } from 'react';
import { flushSync } from 'react-dom';
import { readDraft, useDraft } from '../../storage/drafts.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { commentImageSources } from '../../ui/image-sources.ts';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import styles from './draft-images.module.css';
import { PendingUpload, Preview } from './draft-upload.tsx';
import { finishUpload, removeUpload } from './end-upload.ts';

interface DraftImagesProps {
  draft: ComposerDraft;
  /** Whether the images are read-only. */
  isLocked: boolean;
  /** Removes an image, and focuses what adds one. */
  removeAndFocus: (removeIt: () => void) => void;
}

/** The images of a comment that is being written, with their alternative texts, and pending uploads. */
export function DraftImages({ draft, isLocked, removeAndFocus }: DraftImagesProps) {
  const images = useDraft(draft, ({ images }) => images);
  const uploads = useDraft(draft, ({ uploads }) => uploads).filter(({ isFile }) => !isFile);
  const changeImages = (change: (shown: typeof images) => typeof images, isTyping: boolean) =>
    changeComposer(draft, { images: change(readDraft(draft).images) }, isTyping);
  return (
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
            onStored={(stored) => finishUpload(draft, upload, stored)}
            onRemoved={() => removeAndFocus(() => removeUpload(draft, upload))}
          />
        </li>
      ))}
    </ul>
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
