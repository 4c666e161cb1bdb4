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

const tooMany = {
  images: `Puedes añadir hasta ${limits.imagesPerComment} imágenes por comentario.`,
  files: `Puedes añadir hasta ${limits.filesPerComment} archivos por comentario.`,
};

const filesStay =
  'Los archivos de un comentario ya enviado no se pueden cambiar. Envíalos en otro comentario.';

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
  const isWaitingForFile = useDraft(draft, ({ uploads }) => uploads[0]?.isFile);
  const [refusal, setRefusal] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const actions = useRef<HTMLDivElement>(null);

  /** @returns why not all of them were added; empty if they were */
  const add = (chosen: File[], areFiles: boolean): string => {
    if (chosen.length === 0) return '';
    if (areFiles && isEditing) return filesStay;
    return addUploads(draft, userId, chosen, areFiles)
      ? tooMany[areFiles ? 'files' : 'images']
      : '';
  };
  useDroppedImages((dropped) => {
    if (isLocked) return;
    const isImage = ({ type }: File) => type.startsWith('image/');
    const files = dropped.filter((one) => !isImage(one));
    setRefusal(`${add(dropped.filter(isImage), false)} ${add(files, true)}`.trim());
  });
  const choose = (field: HTMLInputElement, areFiles: boolean) => {
    setRefusal(add([...(field.files ?? [])], areFiles));
    // Reset, so that choosing the same file again fires a change event.
    field.value = '';
  };
  /** Focuses the file input, which may have become visible again because an image was removed. */
  const removeImage = (removeIt: () => void) => {
    flushSync(removeIt);
    input.current?.focus();
  };
  /** Focuses the menu that adds files, which is the first button. */
  const removeFile = (removeIt: () => void) => {
    flushSync(removeIt);
    actions.current?.querySelector('button')?.focus();
  };

  return (
    <>
      {imageCount > 0 && (
        <DraftImages draft={draft} isLocked={isLocked} removeAndFocus={removeImage} />
      )}
      {fileCount > 0 && (
        <DraftFiles draft={draft} isLocked={isLocked} removeAndFocus={removeFile} />
      )}
      {refusal && <Alert>{refusal}</Alert>}
      <p role="status" className={hasToWait ? undefined : 'visually-hidden'}>
        {hasToWait &&
          `Espera a que termine ${isWaitingForFile ? 'el archivo, o quítalo,' : 'la imagen, o quítala,'} y vuelve a pulsar.`}
      </p>
      <div ref={actions} className={`row ${styles.actions}`}>
        <p className={styles.add} hidden={isLocked || imageCount >= limits.imagesPerComment}>
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
            onFocus={() => preload(DraftImages)}
            onChange={({ currentTarget }) => choose(currentTarget, false)}
          />
        </p>
        <input
          ref={fileInput}
          type="file"
          aria-label="Archivos"
          hidden
          multiple
          onChange={({ currentTarget }) => choose(currentTarget, true)}
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
