import { useMemo, useState } from 'react';
import { accountTexts } from '../account/account-texts.ts';
import buttons from '../components/button.module.css';
import { TextAreaField } from '../components/field.tsx';
import { useUser } from '../state/store-provider.tsx';
import { commentDraft } from './comment-draft.ts';
import { QueuedComments } from './queued-comments.tsx';
import styles from './unsent-comments.module.css';

/** The account's queued comments and draft of a deleted channel, to copy or discard. */
export function UnsentComments({ channelId }: { channelId: string }) {
  const { id: userId } = useUser();
  const draft = useMemo(() => commentDraft(userId, channelId), [userId, channelId]);
  const [text, setText] = useState(() => draft.read().text);

  const discard = () => {
    draft.discard();
    setText('');
    document.querySelector('h1')?.focus();
  };

  return (
    <div className={styles.unsent}>
      <QueuedComments
        channelId={channelId}
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
