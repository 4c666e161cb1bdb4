import { useMemo, useState } from 'react';
import { accountTexts } from '../account/account-texts.ts';
import buttons from '../components/button.module.css';
import { TextAreaField } from '../components/field.tsx';
import { useStore } from '../state/store.tsx';
import { commentDraft } from './comment-draft.ts';
import styles from './left-comments.module.css';
import { WaitingComments } from './waiting-comments.tsx';

/** What this account has written in a channel that is gone, until it is discarded. */
export function LeftComments({ channelId }: { channelId: string }) {
  const { id: userId } = useStore().state.user;
  const draft = useMemo(() => commentDraft(userId, channelId), [userId, channelId]);
  const [text, setText] = useState(() => draft.read()?.text);

  const discard = () => {
    draft.keep('');
    setText('');
    document.querySelector('h1')?.focus();
  };

  return (
    <div className={styles.left}>
      <WaitingComments channelId={channelId} onGone={() => document.querySelector('h1')?.focus()} />
      {text && (
        <>
          <TextAreaField
            label={accountTexts.leftHere}
            hint={accountTexts.leftHereHint}
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
