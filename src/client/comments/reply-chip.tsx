import { Icon } from '../components/icons.tsx';
import { isRemoved } from '../state/changed-comments.ts';
import type { AppState } from '../state/state.ts';
import { useAppState } from '../state/store-provider.tsx';
import { changeDraft } from '../storage/drafts.ts';
import { texts } from '../texts.ts';
import type { CommentDraft, ReplyTarget } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { commentTexts } from './comment-texts.ts';

interface ReplyChipProps {
  id: string;
  channelId: string;
  draft: CommentDraft;
  reply: ReplyTarget;
  onRemoved: () => void;
}

/**
 * Says which comment the form answers, with a button to answer none. As in the comment that is sent,
 * a quotation shows only while it occurs in the original.
 */
export function ReplyChip({ id, channelId, draft, reply, onRemoved }: ReplyChipProps) {
  const original = useAppState((state) => originalOf(state, channelId, reply));
  const remove = () => {
    changeDraft(draft, { reply: null });
    onRemoved();
  };
  return (
    <div className={styles.chip}>
      <p id={id} className={styles.replyingTo}>
        {original === 'deleted' ? (
          texts.replyToDeleted
        ) : (
          <>
            {reply.autor ? (
              <>
                {commentTexts.replyingTo} <bdi>{reply.autor}</bdi>
              </>
            ) : (
              commentTexts.replyingToNumber(reply.number)
            )}
            {reply.excerpt && original === 'quoted' && (
              <>
                {' · '}
                <q>{reply.excerpt}</q>
              </>
            )}
          </>
        )}
      </p>
      <button
        type="button"
        className={styles.removeReply}
        aria-label={commentTexts.removeReply}
        onClick={remove}
      >
        <Icon size={18} path="M18 6 6 18M6 6l12 12" />
      </button>
    </div>
  );
}

/** Whether the quoted comment was deleted, no longer has the excerpt, or is unchanged or not loaded. */
function originalOf({ channels }: AppState, channelId: string, { number, excerpt }: ReplyTarget) {
  const channel = channels.get(channelId);
  if (!channel) return 'quoted';
  if (isRemoved(channel, number)) return 'deleted';
  const original = channel.comments.find((one) => one.number === number);
  return !original || original.comment.includes(excerpt) ? 'quoted' : 'changed';
}
