import { useRef } from 'react';
import { focusTitle } from '../components/page-title.tsx';
import { useUser } from '../state/store-provider.tsx';
import { newCommentDraft, replyDraft } from './comment-draft.ts';
import { HeldItems } from './held-part.ts';
import { QueuedComments } from './queued-comments.tsx';
import styles from './unsent-comments.module.css';
import { useUnsentReplies } from './unsent-replies.ts';
import { UnsentText } from './unsent-text.tsx';
import { useRescuedDrafts } from './use-rescued-drafts.ts';

/** The account's held and queued comments and drafts of a closed or deleted channel, to copy or discard. */
export function UnsentComments({ channelId }: { channelId: string }) {
  const { id: userId } = useUser();
  const replies = [...useUnsentReplies(userId, channelId)];
  const drafts = replies.map((number) => replyDraft(userId, { channelId, number }));
  const root = useRef<HTMLDivElement>(null);
  useRescuedDrafts(channelId, () => root.current?.querySelector('textarea')?.focus());

  return (
    <div ref={root} className={styles.unsent}>
      <HeldItems channelId={channelId} />
      <QueuedComments channelId={channelId} canEdit={false} />
      {[newCommentDraft(userId, channelId), ...drafts].map((draft) => (
        <UnsentText
          key={draft.key}
          draft={draft}
          label="Lo que escribías aquí"
          hint="Ya no se puede publicar en este canal. Copia tu texto si quieres conservarlo."
          onDiscarded={focusTitle}
        />
      ))}
    </div>
  );
}
