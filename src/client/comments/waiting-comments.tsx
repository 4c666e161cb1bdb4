import { useId, useState, useSyncExternalStore } from 'react';
import { failureText } from '../account/account-call.ts';
import { accountTexts } from '../account/account-texts.ts';
import type { Failure } from '../api/api.ts';
import buttons from '../components/button.module.css';
import { LinkedText } from '../components/linked-text.tsx';
import { Alert } from '../components/notice.tsx';
import { useStore } from '../state/store.tsx';
import {
  dropWaiting,
  onOutboxChange,
  outboxVersion,
  readOutbox,
  readWaiting,
  type WaitingComment,
} from './outbox.ts';
import { sendWaiting } from './send-outbox.ts';
import styles from './waiting-comments.module.css';

interface WaitingCommentsProps {
  channelId: string;
  /** Where the focus goes when the button that had it is gone. */
  onGone: () => void;
}

/** What this account has written in the channel and the server has not answered. */
export function WaitingComments({ channelId, onGone }: WaitingCommentsProps) {
  const { state } = useStore();
  useSyncExternalStore(onOutboxChange, outboxVersion);
  const waiting = readOutbox(state.user.id).filter(({ body }) => body.id === channelId);
  const [hadSome, setHadSome] = useState(false);
  if (waiting.length > 0 && !hadSome) setHadSome(true);

  return (
    <>
      <p role="status" className="visually-hidden">
        {hadSome && accountTexts.waitingCount(waiting.length)}
      </p>
      {waiting.length > 0 && (
        <ul className={styles.list} aria-label={accountTexts.waitingComments}>
          {waiting.map((comment) => (
            <WaitingItem key={comment.key} comment={comment} onGone={onGone} />
          ))}
        </ul>
      )}
    </>
  );
}

function WaitingItem({
  comment,
  onGone,
}: { comment: WaitingComment } & Pick<WaitingCommentsProps, 'onGone'>) {
  const { key, body, refusal } = comment;
  const { state, dispatch } = useStore();
  const { id: userId } = state.user;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const textId = useId();

  const sendNow = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    setFailure(await sendWaiting(userId, dispatch));
    setBusy(false);
    if (!readWaiting(userId, key)) onGone();
  };
  const discard = () => {
    dropWaiting(userId, key);
    onGone();
  };

  return (
    <li className={styles.item}>
      <div id={textId}>
        <LinkedText text={body.comment} />
      </div>
      {refusal === null ? (
        <p className={styles.note}>
          <span>{accountTexts.waiting}</span>
          <span role="status">{failure && `. ${failureText(failure)}`}</span>
        </p>
      ) : (
        <Alert>
          <span>{accountTexts.commentFailed}</span>
          {`. ${refusal}`}
        </Alert>
      )}
      <div className={styles.buttons}>
        {refusal === null && (
          <button
            type="button"
            className={buttons.quiet}
            aria-describedby={textId}
            aria-disabled={isBusy || undefined}
            aria-busy={isBusy || undefined}
            onClick={sendNow}
          >
            {accountTexts.sendNow}
          </button>
        )}
        <button type="button" className={buttons.quiet} aria-describedby={textId} onClick={discard}>
          {accountTexts.discard}
        </button>
      </div>
    </li>
  );
}
