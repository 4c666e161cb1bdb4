import { readDraft, useDraft } from '../../storage/drafts.ts';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import { FileLine } from '../files/file-line.tsx';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import { PendingUpload } from './draft-upload.tsx';
import { finishUpload, removeUpload } from './end-upload.ts';

interface DraftFilesProps {
  draft: ComposerDraft;
  /** Whether the files are read-only. */
  isLocked: boolean;
  /** Removes a file, and focuses what adds one. */
  removeAndFocus: (removeIt: () => void) => void;
}

/** The files of a comment that is being written, and pending uploads. */
export function DraftFiles({ draft, isLocked, removeAndFocus }: DraftFilesProps) {
  const files = useDraft(draft, ({ files }) => files);
  const uploads = useDraft(draft, ({ uploads }) => uploads).filter(({ isFile }) => isFile);
  const remove = (url: string) =>
    changeComposer(draft, { files: readDraft(draft).files.filter((one) => one.url !== url) });
  return (
    <ul className="stack" aria-label="Archivos del comentario">
      {files.map((file) => (
        <li key={file.url} className="row">
          <FileLine file={file} isLinked={false} />
          {!isLocked && (
            <button
              type="button"
              className={buttons.quiet}
              aria-label={`Quitar ${file.name}`}
              onClick={() => removeAndFocus(() => remove(file.url))}
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
