import { type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '../../../shared/limits.ts';
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
import { DraftFiles, DraftImages, preloadUploads } from './draft-parts.ts';

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
  const hasFiles = useDraft(draft, (content) => countUploaded(content, true) > 0);
  const isEditing = useDraft(draft, ({ editing }) => editing !== null);
  /** The most of something that a comment can have, if the user added more; otherwise empty. */
  const [most, setMost] = useState('');
  const fileInput = useRef<HTMLInputElement>(null);
  const actions = useRef<HTMLDivElement>(null);

  const add = (images: File[], files: File[]) => {
    const hasTooManyImages = addUploads(draft, userId, images);
    const hasTooManyFiles = addUploads(draft, userId, files, true);
    const { imagesPerComment, filesPerComment } = limits;
    if (hasTooManyImages) setMost(`${imagesPerComment} imágenes`);
    else setMost(hasTooManyFiles ? `${filesPerComment} archivos` : '');
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
  const removeAndFocus = (removeIt: () => void, selector: 'input' | 'button') => {
    flushSync(removeIt);
    actions.current?.querySelector<HTMLElement>(selector)?.focus();
  };

  return (
    <>
      {imageCount > 0 && (
        <DraftImages
          draft={draft}
          isLocked={isLocked}
          removeAndFocus={(removeIt) => removeAndFocus(removeIt, 'input')}
        />
      )}
      {hasFiles && (
        <DraftFiles
          draft={draft}
          isLocked={isLocked}
          removeAndFocus={(removeIt) => removeAndFocus(removeIt, 'button')}
        />
      )}
      {most && <Alert>{`Puedes añadir hasta ${most} por comentario.`}</Alert>}
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
            onFocus={preloadUploads}
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
        {!isLocked && <AddMenu draft={draft} chooseFiles={() => fileInput.current?.click()} />}
        {children}
      </div>
    </>
  );
}
