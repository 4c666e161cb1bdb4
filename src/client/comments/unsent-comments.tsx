import { useEffect, useMemo, useState } from 'react';
import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { TextAreaField } from '../components/field.tsx';
import { useStore, useUser } from '../state/store-provider.tsx';
import { commentDraft } from './comment-draft.ts';
import { QueuedComments } from './queued-comments.tsx';
import { rescueEdits } from './rescue-edits.ts';
import styles from './unsent-comments.module.css';

/** The account's queued comments and draft of a closed or deleted channel, to copy or discard. */
export function UnsentComments({ channelId }: { channelId: string }) {
  const { getState } = useStore();
  const { id: userId } = useUser();
  const draft = useMemo(() => commentDraft(userId, channelId), [userId, channelId]);
  const [text, setText] = useState(() => draft.read().text);

  useEffect(() => {
    rescueEdits(userId, channelId, getState().channels.get(channelId), true);
    // biome-ignore lint/nursery/useReactCompiler: the text may have grown
    setText(draft.read().text);
  }, [userId, channelId, getState, draft]);

  const discard = () => {
    draft.discard();
    setText('');
    document.querySelector('h1')?.focus();
  };

  return (
    <div className={styles.unsent}>
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
