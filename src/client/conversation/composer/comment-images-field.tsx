import { type ReactNode, useId, useRef, useState } from 'react';
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
import { addUploads, type ComposerDraft, countUploaded } from './composer-draft.ts';
import { DraftFiles, DraftImages } from './draft-parts.ts';

/** Preloads what takes images, or files, once they are chosen. */
function preload(Part: typeof DraftImages): void {
  Part.load().catch(() => {});
  preloadUploader();
}

interface CommentImagesFieldProps {
  draft: ComposerDraft;
  /** Whether images and files are read-only. */
  isLocked: boolean;
  /** Whether the user tried to send the comment before all of them were stored. */
  hasToWait: boolean;
  /** The buttons that end the form, in one row with the one that adds images. */
  children: ReactNode;
}

/** The images and files of a comment, pending uploads, and the row of buttons. */
export function CommentImagesField({
  draft,
  isLocked,
  hasToWait,
  children,
}: CommentImagesFieldProps) {
  const id = useId();
  const { id: userId } = useUser();
  const imageCount = useDraft(draft, (content) => countUploaded(content, false));
  const fileCount = useDraft(draft, (content) => countUploaded(content, true));
  const isEditing = useDraft(draft, ({ editing }) => editing !== null);
  /** Of which the user added more than a comment can have; empty if there are not too many. */
  const [tooMany, setTooMany] = useState('');
  const fileInput = useRef<HTMLInputElement>(null);
  const actions = useRef<HTMLDivElement>(null);

  const add = (images: File[], files: File[]) => {
    const hasTooManyImages = addUploads(draft, userId, images);
    const hasTooManyFiles = addUploads(draft, userId, files, true);
    setTooMany(hasTooManyImages ? 'imágenes' : hasTooManyFiles ? 'archivos' : '');
  };
  useDroppedImages((dropped) => {
    if (isLocked) return;
    // The files of a comment stay as they were sent.
    const isImage = ({ type }: File) => isEditing || type.startsWith('image/');
    add(
      dropped.filter(isImage),
      dropped.filter((one) => !isImage(one)),
    );
  });
  /** Takes the chosen files, and resets the field, so that choosing the same file again fires a change event. */
  const filesOf = (field: HTMLInputElement) => {
    const chosen = [...(field.files ?? [])];
    field.value = '';
    return chosen;
  };
  /** Removes an upload, and focuses what adds one, which may have become visible again. */
  const removeAndFocus = (selector: 'input' | 'button') => (removeIt: () => void) => {
    flushSync(removeIt);
    actions.current?.querySelector<HTMLElement>(selector)?.focus();
  };

  return (
    <>
      {imageCount > 0 && (
        <DraftImages draft={draft} isLocked={isLocked} removeAndFocus={removeAndFocus('input')} />
      )}
      {fileCount > 0 && (
        <DraftFiles draft={draft} isLocked={isLocked} removeAndFocus={removeAndFocus('button')} />
      )}
      {tooMany && (
        <Alert>{`Puedes añadir hasta ${limits.filesPerComment} ${tooMany} por comentario.`}</Alert>
      )}
      <p role="status" className={hasToWait ? undefined : 'visually-hidden'}>
        {hasToWait && 'Espera a que termine la subida, o quítala, y vuelve a pulsar.'}
      </p>
      <div ref={actions} className={`row ${styles.actions}`}>
        <p className={styles.add} hidden={isLocked || imageCount >= limits.imagesPerComment}>
          <label className={buttons.quiet} htmlFor={id}>
            <ImagePlus size={20} />
            Añadir imágenes
          </label>
          <input
            id={id}
            className="file-input"
            type="file"
            accept={acceptedImages}
            multiple
            onFocus={() => preload(DraftImages)}
            onChange={({ currentTarget }) => add(filesOf(currentTarget), [])}
          />
        </p>
        <input
          ref={fileInput}
          type="file"
          aria-label="Archivos"
          hidden
          multiple
          onChange={({ currentTarget }) => add([], filesOf(currentTarget))}
        />
        {!isLocked && (
          <AddMenu
            draft={draft}
            hasRoom={fileCount < limits.filesPerComment}
            preloadFiles={() => preload(DraftFiles)}
            chooseFiles={() => fileInput.current?.click()}
          />
        )}
        {children}
      </div>
    </>
  );
}
