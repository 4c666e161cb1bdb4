import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Held, HeldList } from '../../shared/held.ts';
import { accountTexts } from '../account-texts.ts';
import { failureText, type Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey, useUserQuery } from '../api/user-query.ts';
import { editHeld, type HeldChange, listHeld, withdrawHeld } from '../comments/comment-calls.ts';
import { emptyContent } from '../comments/comment-draft.ts';
import { CommentImages } from '../comments/comment-images.tsx';
import { CommentText } from '../comments/comment-text.tsx';
import { commentTexts } from '../comments/comment-texts.ts';
import { ContentEditor, contentOf } from '../comments/content-editor.tsx';
import { askHeldAgain } from '../comments/held.ts';
import styles from '../comments/queued-comments.module.css';
import { joinTexts, UnsentText } from '../comments/unsent-text.tsx';
import buttons from '../components/button.module.css';
import { copyText } from '../components/copy-text.ts';
import { DiscardQuestion } from '../components/edit-buttons.tsx';
import { TextAreaField } from '../components/field.tsx';
import { focusTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { useLostFocus } from '../components/use-lost-focus.ts';
import { useUser } from '../state/store-provider.tsx';
import { draftKeys, useDraft } from '../storage/drafts.ts';
import { heldChannelEditPrefix } from './channel-draft.ts';
import { ChannelForm } from './channel-form.tsx';

interface HeldItemsProps {
  /** The channel whose comments are shown; null shows channels. */
  channelId: string | null;
  /** Called when one is removed, and with it the element that had the focus. */
  onRemoved?: () => void;
}

/** Posts of the account that wait for a moderator, with buttons to change or withdraw them, and refused ones. */
export function HeldItems({ channelId, onRemoved = focusTitle }: HeldItemsProps) {
  const { id: userId } = useUser();
  const { data } = useUserQuery(listHeld, undefined, { isBackground: true, isCurrent: true });
  if (!data) return null;
  const shown = data.data.filter((one) => one.channelId === channelId);
  const pending = shown.filter(({ state }) => state === 'pending');
  const unsavable = draftKeys(editPrefix(userId, channelId)).filter(
    (id) => !pending.some((one) => one.id === id),
  );
  return (
    <>
      {shown.length > 0 && (
        <ul
          className={styles.list}
          aria-label={channelId ? commentTexts.heldComments : commentTexts.heldChannels}
        >
          {shown.map((held) => (
            // One that is refused replaces the one that waited, and gets its focus.
            <HeldItem key={`${held.id} ${held.state}`} held={held} onRemoved={onRemoved} />
          ))}
        </ul>
      )}
      {unsavable.map((id) => (
        <div key={id} className={styles.list}>
          <UnsentText
            draft={editDraft(userId, channelId, id)}
            label={commentTexts.unsaved}
            alert={commentTexts.unsavable}
            onDiscarded={onRemoved}
          />
        </div>
      ))}
    </>
  );
}

const editPrefix = (userId: string, channelId: string | null) =>
  channelId ? `held-edit ${userId} ${channelId} ` : heldChannelEditPrefix(userId);

const emptyTexts = { name: '', description: '', coverAlt: '' };

/** The unsaved changes of something held. */
const editDraft = (userId: string, channelId: string | null, id: string) => ({
  key: editPrefix(userId, channelId) + id,
  unchanged: channelId ? emptyContent : emptyTexts,
});

type HeldItemProps = { held: Held; onRemoved: () => void };

function HeldItem({ held, onRemoved }: HeldItemProps) {
  const { id, channelId, state, reason, mentions, images, replyTo } = held;
  const isRejected = state === 'rejected';
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const [task, setTask] = useState<'edit' | 'remove' | null>(null);
  const item = useRef<HTMLLIElement>(null);
  useLostFocus(item, (next) => (next ? next.focus() : onRemoved()));
  const endTask = () => {
    setTask(null);
    item.current?.focus();
  };
  const textId = useId();
  const text = channelId ? held.comment : joinTexts(isRejected ? held : { ...held, coverAlt: '' });
  const removal = isRejected ? commentTexts.removal : commentTexts.withdrawal;

  const { isBusy, run: remove } = useExclusive(async () => {
    const result = await request(withdrawHeld, id);
    // It may also have been published or refused meanwhile.
    await askHeldAgain(queryClient, userId);
    const listed = queryClient.getQueryData<HeldList>(callKey(userId, listHeld));
    // If it is gone after no answer came, only the answer was lost.
    const isDone = result.ok || (!result.problem && !listed?.data.some((one) => one.id === id));
    showStatus({ text: isDone ? removal.done : `${removal.failed} ${failureText(result)}` });
  });
  const save = async (change: HeldChange) => {
    const result = await request(editHeld, change);
    // Refused, it may have changed or be gone.
    await askHeldAgain(queryClient, userId);
    return result;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && task === 'remove' && !isBusy) endTask();
  };
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-describedby': textId };

  return (
    <li ref={item} className={`box ${styles.item}`} tabIndex={-1} onKeyDown={onKeyDown}>
      <p className="note">{isRejected ? commentTexts.refused(reason) : accountTexts.held}</p>
      {replyTo !== null && <p className="note">{commentTexts.queuedReply}</p>}
      {task === 'edit' ? (
        channelId ? (
          <HeldEditor held={held} channelId={channelId} save={save} onEnd={endTask} />
        ) : (
          <ChannelForm
            channel={{ ...held, _id: id, createdAt: null }}
            save={save}
            onEnd={endTask}
          />
        )
      ) : (
        <>
          <div id={textId}>
            {isRejected ? (
              <TextAreaField label={commentTexts.yourText} rows={4} readOnly value={text} />
            ) : (
              <CommentText text={text} mentions={mentions} />
            )}
          </div>
          {images.length > 0 && <CommentImages images={images} />}
          {task === 'remove' ? (
            <DiscardQuestion
              question={removal.question}
              labels={[removal.label, accountTexts.cancel]}
              isBusy={isBusy}
              onDiscard={remove}
              onKeepEditing={endTask}
            />
          ) : (
            <div className="buttons">
              {isRejected ? (
                <button {...button} onClick={() => copyText(text)}>
                  {commentTexts.copy}
                </button>
              ) : (
                <button {...button} onClick={() => setTask('edit')}>
                  {commentTexts.edit}
                </button>
              )}
              <button {...button} onClick={() => setTask('remove')}>
                {removal.label}
              </button>
            </div>
          )}
          {!isRejected && (
            <UnsentText
              draft={editDraft(userId, channelId, id)}
              label={commentTexts.unsaved}
              hint={commentTexts.unsavedHint}
              onDiscarded={endTask}
            />
          )}
        </>
      )}
    </li>
  );
}

interface HeldEditorProps {
  held: Held;
  channelId: string;
  save: (change: HeldChange) => Promise<Result<Held>>;
  onEnd: () => void;
}

function HeldEditor({ held, channelId, save, onEnd }: HeldEditorProps) {
  const { id, revision } = held;
  const { id: userId } = useUser();
  const [draft] = useState(() => ({
    ...editDraft(userId, channelId, id),
    unchanged: contentOf(held),
  }));
  const known = useDraft(draft, (content) => content.revision);
  return (
    <ContentEditor
      channelId={channelId}
      draft={draft}
      save={(_known, edit) => save({ id, revision, edit: { mentions: [], images: [], ...edit } })}
      conflict={revision > known ? held : null}
      onEnd={onEnd}
    />
  );
}
