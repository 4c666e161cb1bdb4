import { useUser } from '../../state/store-provider.tsx';
import { useDraft } from '../../storage/drafts.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { focusTitle } from '../../ui/page-title.tsx';
import { copyText } from '../../ui/status/copy-text.ts';
import buttons from '../../ui/styles/button.module.css';
import { commentTexts } from '../comment-texts.ts';
import { composerDraft, discardWithFiles } from './composer-draft.ts';
import { PendingItems } from './pending-part.tsx';
import styles from './unsent-comments.module.css';

/** The account's unpublished posts and draft in a closed or deleted channel, to copy or discard. */
export function UnsentComments({ channelId }: { channelId: string }) {
  const { id: userId } = useUser();
  const draft = composerDraft(userId, channelId);
  const { text, images, files, uploads } = useDraft(draft, (content) => content);
  const fileCount = images.length + files.length + uploads.length;
  const discard = () => {
    discardWithFiles(draft);
    focusTitle();
  };
  return (
    <div className={styles.unsent}>
      <PendingItems channelId={channelId} />
      {text && (
        <TextAreaField
          label="Lo que estabas escribiendo aquí"
          hint="Ya no se puede publicar en este canal. Copia tu texto si quieres conservarlo."
          rows={8}
          readOnly
          value={text}
        />
      )}
      {fileCount > 0 && <p>{commentTexts.queuedFiles(fileCount)}</p>}
      {(text || fileCount > 0) && (
        <div className="row">
          {text && (
            <button type="button" className={buttons.quiet} onClick={() => copyText(text)}>
              {commentTexts.copy}
            </button>
          )}
          <button type="button" className={buttons.quiet} data-destroys onClick={discard}>
            {accountTexts.discard}
          </button>
        </div>
      )}
    </div>
  );
}
