import { Icon } from '../components/icons.tsx';
import type { DraftStore, ReplyTarget } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { commentTexts } from './comment-texts.ts';

interface ReplyChipProps {
  id: string;
  draft: DraftStore;
  reply: ReplyTarget;
  onRemoved: () => void;
}

/** Says which comment the form answers, with a button to answer none. */
export function ReplyChip({ id, draft, reply, onRemoved }: ReplyChipProps) {
  const remove = () => {
    draft.change({ reply: null });
    onRemoved();
  };
  return (
    <div className={styles.chip}>
      <p id={id} className={styles.replyingTo}>
        {commentTexts.replyingTo} <bdi>{reply.autor}</bdi>
        {reply.excerpt && (
          <>
            {' · '}
            <q>{reply.excerpt}</q>
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
