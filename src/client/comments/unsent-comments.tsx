import { useRef } from 'react';
import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { TextAreaField } from '../components/field.tsx';
import { useUser } from '../state/store-provider.tsx';
import { discardDraft, useDraft } from '../storage/drafts.ts';
import { newCommentDraft } from './comment-draft.ts';
import { QueuedComments } from './queued-comments.tsx';
import styles from './unsent-comments.module.css';
import { useRescuedEdits } from './use-rescued-edits.ts';

/** The account's queued comments and draft of a closed or deleted channel, to copy or discard. */
export function UnsentComments({ channelId }: { channelId: string }) {
  const { id: userId } = useUser();
  const draft = newCommentDraft(userId, channelId);
  const text = useDraft(draft, ({ text }) => text);
  const root = useRef<HTMLDivElement>(null);
  useRescuedEdits(channelId, () => root.current?.querySelector('textarea')?.focus());

  const discard = () => {
    discardDraft(draft);
    document.querySelector('h1')?.focus();
  };

  return (
    <div ref={root} className={styles.unsent}>
      <QueuedComments
        channelId={channelId}
        canEdit={false}
        onRemoved={() => document.querySelector('h1')?.focus()}
      />
      {text && (
        <>
          <TextAreaField
            label={accountTexts.unsentText}
            hint={accountTexts.unsentTextHint}
            rows={8}
            readOnly
            value={text}
          />
          <p>
            <button type="button" className={buttons.quiet} onClick={discard}>
              {accountTexts.discard}
            </button>
          </p>
        </>
      )}
    </div>
  );
}
