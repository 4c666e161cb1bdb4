import type { Comment } from '../../shared/comments.ts';
import { commentAnchor, commentLink, writeAnchor } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { focusTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { go, Link } from '../router/navigation.tsx';
import { useAppState, useStore, useUser } from '../state/store-provider.tsx';
import { newCommentDraft } from './comment-draft.ts';
import { CommentForm } from './comment-form.tsx';
import { Restrictions } from './decisions-in-place.tsx';
import { focusField } from './focus-field.ts';
import { HeldItems } from './held-part.ts';
import styles from './new-comment.module.css';
import { QueuedComments } from './queued-comments.tsx';
import { useUnsentReplies } from './unsent-replies.ts';
import { useRescuedDrafts } from './use-rescued-drafts.ts';

/** The form of a new comment below what the account wrote that is not published yet. */
export function NewComment({ channelId }: { channelId: string }) {
  const { getState } = useStore();
  const { id: userId } = useUser();
  /** When the channel is hidden or deleted, the form is lost with its page. */
  const focus = () =>
    document.getElementById(writeAnchor) ? focusField(writeAnchor) : focusTitle();
  useRescuedDrafts(channelId, focus);

  /** Shows a sent comment: where it was added, or on the page of the newest comments. */
  const show = ({ number }: Comment) => {
    const shown = getState().channels.get(channelId)?.comments;
    if (!shown?.some((one) => one.number === number)) {
      return go(commentLink(channelId, number), { hasWayBack: true });
    }
    requestAnimationFrame(() =>
      document.getElementById(commentAnchor(number))?.scrollIntoView({ block: 'nearest' }),
    );
  };
  const onSent = (comment: Comment | null) => {
    if (!comment) return;
    show(comment);
    showStatus({ text: accountTexts.commentSent });
  };
  return (
    <>
      <HeldItems channelId={channelId} />
      <QueuedComments channelId={channelId} canEdit />
      <RepliesElsewhere channelId={channelId} />
      <Restrictions />
      <CommentForm
        channelId={channelId}
        draft={newCommentDraft(userId, channelId)}
        onSent={onSent}
      />
    </>
  );
}

/** Links to the comments that the account is replying to and that are not loaded. */
function RepliesElsewhere({ channelId }: { channelId: string }) {
  const { id: userId } = useUser();
  const numbers = useUnsentReplies(userId, channelId);
  const comments = useAppState(({ channels }) => channels.get(channelId)?.comments);
  const isLoaded = (number: number) => comments?.some((comment) => comment.number === number);
  const elsewhere = [...numbers].filter((number) => !isLoaded(number));
  return elsewhere.map((number) => (
    <p key={number} className={styles.elsewhere}>
      <Link
        href={commentLink(channelId, number)}
      >{`Tu respuesta al comentario n.º ${number} está sin enviar`}</Link>
    </p>
  ));
}
