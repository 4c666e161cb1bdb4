import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, useSyncExternalStore } from 'react';
import { commentLink } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { Alert } from '../components/notice.tsx';
import { go } from '../router/navigation.tsx';
import { useStore, useUser } from '../state/store-provider.tsx';
import { onDraftChange } from '../storage/draft-changes.ts';
import { discardDraft } from '../storage/drafts.ts';
import { emptyContent, returnToForm } from './comment-draft.ts';
import { CommentText } from './comment-text.tsx';
import { commentTexts } from './comment-texts.ts';
import { type QueuedComment, queuedDraft, readOutbox, sendOutbox } from './outbox.ts';
import styles from './queued-comments.module.css';

interface QueuedCommentsProps {
  channelId: string;
  /** Whether the channel has a form of new comments, in which a refused one can be changed. */
  canEdit: boolean;
}

/** The account's queued comments of a channel, with buttons to send or discard each. */
export function QueuedComments({ channelId, canEdit }: QueuedCommentsProps) {
  const { id: userId } = useUser();
  // React compares snapshots by identity, so this one is a string.
  const snapshot = useSyncExternalStore(onDraftChange, () => JSON.stringify(readOutbox(userId)));
  const queued = (JSON.parse(snapshot) as QueuedComment[]).filter(
    ({ body }) => body.id === channelId,
  );
  const [hasShownSome, setShownSome] = useState(false);
  if (queued.length > 0 && !hasShownSome) setShownSome(true);

  return (
    <>
      <p role="status" className="visually-hidden">
        {hasShownSome && queuedCount(queued.length)}
      </p>
      {queued.length > 0 && (
        <ul className={styles.list} aria-label="Comentarios pendientes de envío">
          {queued.map((comment) => (
            <QueuedItem key={comment.key} comment={comment} canEdit={canEdit} />
          ))}
        </ul>
      )}
    </>
  );
}

function QueuedItem({ comment, canEdit }: { comment: QueuedComment; canEdit: boolean }) {
  const { key, body, refusal } = comment;
  const store = useStore();
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const draft = queuedDraft(userId, key);
  const textId = useId();
  const imageCount = Array.isArray(body.images) ? body.images.length : 0;

  const {
    isPending,
    mutate: sendNow,
    data: failure,
  } = useMutation({ mutationFn: () => sendOutbox(userId, { store, queryClient }) });
  /** Moves the comment to its form, which may be on another page of comments if it is a reply. */
  const edit = () => {
    const { id: channelId, comment: text, mentions = [], images = [], replyTo: number } = body;
    const reply = number ? { number, excerpt: body.replyExcerpt ?? '' } : null;
    returnToForm(userId, channelId, { ...emptyContent, text, mentions, images, reply });
    discardDraft(draft);
    if (number) go(commentLink(channelId, number));
  };
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-describedby': textId };
  return (
    <li className={`box ${styles.item}`} tabIndex={-1}>
      <div id={textId}>
        <CommentText text={body.comment} />
      </div>
      {body.replyTo && <p className="note">{commentTexts.queuedReply}</p>}
      {imageCount > 0 && <p className="note">{commentTexts.queuedImages(imageCount)}</p>}
      {refusal === null ? (
        <p className="note">
          <span>{accountTexts.queued}</span>
          <span role="status">{failure && `. ${failure.text}`}</span>
        </p>
      ) : (
        <Alert>
          <span>{accountTexts.commentFailed}</span>
          <span>{`. ${refusal}`}</span>
        </Alert>
      )}
      <div className="row">
        {refusal === null && (
          <button
            {...button}
            aria-disabled={isPending || undefined}
            aria-busy={isPending || undefined}
            onClick={() => isPending || sendNow()}
          >
            Enviar ahora
          </button>
        )}
        {refusal !== null && canEdit && (
          <button {...button} onClick={edit}>
            {commentTexts.edit}
          </button>
        )}
        <button {...button} data-destroys onClick={() => discardDraft(draft)}>
          {accountTexts.discard}
        </button>
      </div>
    </li>
  );
}

function queuedCount(count: number): string {
  if (count === 0) return 'Ya no hay comentarios pendientes de envío';
  return count === 1
    ? '1 comentario pendiente de envío'
    : `${count} comentarios pendientes de envío`;
}
