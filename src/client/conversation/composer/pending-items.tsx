import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { PendingList, PendingPost } from '../../../shared/pending.ts';
import { commentLink, pageRoutes, writeAnchor } from '../../../shared/routes.ts';
import { Failure, orFailure, ownFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { callKey } from '../../api/user-query.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { focusField } from '../../dom/focus-field.ts';
import { go } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { joinTexts, returnToCreateForm } from '../../storage/channel-draft.ts';
import { readDraft } from '../../storage/drafts.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { DiscardQuestion } from '../../ui/forms/form-end.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import { CommentFiles } from '../carried-part.ts';
import { withdrawPendingPost } from '../change-comment-calls.ts';
import { listPendingPosts } from '../comment-calls.ts';
import { commentTexts } from '../comment-texts.ts';
import { CommentImages } from '../item/comment-images.tsx';
import { CommentText } from '../text/comment-text.tsx';
import { appendToDraft, composerDraft, fieldsOf, whyNotAppended } from './composer-draft.ts';
import { eventDraftOf } from './event-draft.ts';
import styles from './pending-items.module.css';
import { refetchPendingPosts, usePendingPosts } from './pending-posts.ts';

const removal = {
  label: 'Quitar',
  question: '¿Quitarlo? Su texto se borra.',
  done: 'Quitado',
  failed: 'No se pudo quitar.',
} as const;

const withdrawal = {
  label: 'Retirar',
  done: 'Ya no se enviará. Puedes seguir escribiendo.',
  failed: 'No se pudo retirar.',
} as const;

const correction = {
  label: 'Corregirlo',
  done: 'Puedes corregirlo y volver a enviarlo.',
  failed: 'No se pudo llevar al formulario.',
} as const;

interface PendingItemsProps {
  /** The channel whose pending comments are shown; null shows pending channels. */
  channelId: string | null;
}

/** Posts of the account that await a moderator or were rejected, each with a button that returns it to its form. */
function PendingPosts({ channelId }: PendingItemsProps) {
  const shown = usePendingPosts().filter((one) => one.channelId === channelId);
  if (shown.length === 0) return null;
  return (
    <ul
      className={styles.list}
      aria-label={channelId ? 'Tus comentarios en revisión' : 'Tus canales en revisión'}
    >
      {shown.map((post) => (
        // The key includes the state: a rejected post replaces the pending one and takes over its focus.
        <PendingItem key={`${post.id} ${post.state}`} post={post} />
      ))}
    </ul>
  );
}

export const PendingItems = withQueries(PendingPosts);

function PendingItem({ post }: { post: PendingPost }) {
  const { id, channelId, state, reason, mentions, images, files, replyTo } = post;
  const isRejected = state === 'rejected';
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const cancel = () => {
    setAsking(false);
    item.current?.focus();
  };
  const textId = useId();
  const text = channelId ? post.comment : joinTexts({ ...post, coverAlt: '' });
  const way = isRejected ? correction : withdrawal;

  const withdraw = async (isReturned: boolean) => {
    const busy =
      isReturned && channelId && whyNotAppended(readDraft(composerDraft(userId, channelId)));
    if (busy) throw ownFailure(busy);
    // Stored before the post is withdrawn: whatever happens to the response, the form has the text.
    const undo = isReturned ? await returnToForm(userId, post) : () => {};
    const taken = await orFailure(request(withdrawPendingPost, id));
    // The post may also have been published or rejected in the meantime.
    await refetchPendingPosts(queryClient, userId);
    if (taken instanceof Failure) {
      const listed = queryClient.getQueryData<PendingList>(callKey(userId, listPendingPosts));
      // Without a response, a post that is no longer listed was withdrawn: only the response was lost.
      if (!taken.isUnknown) undo();
      if (taken.problem || listed?.data.some((one) => one.id === id)) throw taken;
    }
    if (isReturned) showForm(post);
    return { text: isReturned ? way.done : removal.done };
  };
  const { isPending: isBusy, mutate } = useMutation({
    mutationFn: (isReturned: boolean) =>
      withStatus(isReturned ? way.failed : removal.failed, () => withdraw(isReturned)),
  });
  const takeBack = (isReturned: boolean) => isBusy || mutate(isReturned);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isAsking && !isBusy) cancel();
  };
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-describedby': textId };

  return (
    <li ref={item} className={`box ${styles.item}`} tabIndex={-1} onKeyDown={onKeyDown}>
      <p className="note">{isRejected ? `No se publicó. ${reason}` : accountTexts.pending}</p>
      {replyTo !== null && <p className="note">{commentTexts.queuedReply}</p>}
      <div id={textId}>
        <CommentText text={text} mentions={mentions} />
      </div>
      {images.length > 0 && <CommentImages images={images} />}
      {files.length > 0 && <CommentFiles files={files} />}
      {isAsking && (
        <DiscardQuestion
          question={removal.question}
          labels={[removal.label, accountTexts.cancel]}
          isBusy={isBusy}
          onDiscard={() => takeBack(false)}
          onKeepEditing={cancel}
        />
      )}
      {!isAsking && (
        <div className="row">
          <button {...button} aria-disabled={isBusy || undefined} onClick={() => takeBack(true)}>
            {way.label}
          </button>
          {isRejected && (
            <button {...button} data-destroys onClick={() => setAsking(true)}>
              {removal.label}
            </button>
          )}
        </div>
      )}
    </li>
  );
}

/**
 * Stores a post in the draft of its form.
 * @returns a function that undoes this unless the draft has changed since
 */
async function returnToForm(userId: string, post: PendingPost): Promise<() => void> {
  const { channelId, replyTo } = post;
  if (!channelId) return returnToCreateForm(userId, post);
  const reply = replyTo === null ? null : { number: replyTo };
  return appendToDraft(composerDraft(userId, channelId), {
    ...fieldsOf(post),
    files: post.files,
    event: post.event && eventDraftOf(post.event),
    reply,
  });
}

function showForm({ channelId, replyTo }: PendingPost): void {
  if (!channelId) go(pageRoutes.create);
  else if (replyTo !== null) go(commentLink(channelId, replyTo));
  else requestAnimationFrame(() => focusField(writeAnchor));
}
