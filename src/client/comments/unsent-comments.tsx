import { useRef } from 'react';
import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { TextAreaField } from '../components/field.tsx';
import { focusTitle } from '../components/page-title.tsx';
import { useUser } from '../state/store-provider.tsx';
import { useDraft } from '../storage/drafts.ts';
import {
  type CommentDraft,
  discardWithFiles,
  newCommentDraft,
  replyDraft,
} from './comment-draft.ts';
import { commentTexts } from './comment-texts.ts';
import { HeldItems } from './held.ts';
import { QueuedComments } from './queued-comments.tsx';
import styles from './unsent-comments.module.css';
import { useUnsentReplies } from './unsent-replies.ts';
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
      <QueuedComments channelId={channelId} canEdit={false} onRemoved={focusTitle} />
      {[newCommentDraft(userId, channelId), ...drafts].map((draft) => (
        <UnsentText key={draft.key} draft={draft} />
      ))}
    </div>
  );
}

function UnsentText({ draft }: { draft: CommentDraft }) {
  const text = useDraft(draft, ({ text }) => text);
  const imageCount = useDraft(draft, ({ images, uploads }) => images.length + uploads.length);
  const discard = () => {
    discardWithFiles(draft);
    focusTitle();
  };
  return (
    (text || imageCount > 0) && (
      <>
        {text && (
          <TextAreaField
            label={accountTexts.unsentText}
            hint={accountTexts.unsentTextHint}
            rows={8}
            readOnly
            value={text}
          />
        )}
        {imageCount > 0 && <p>{commentTexts.queuedImages(imageCount)}</p>}
        <p>
          <button type="button" className={buttons.quiet} onClick={discard}>
            {accountTexts.discard}
          </button>
        </p>
      </>
    )
  );
}
