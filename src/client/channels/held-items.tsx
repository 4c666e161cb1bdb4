import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Held } from '../../shared/held.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { failureText, isRefused, type Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import { editHeld, type HeldChange, listHeld, withdrawHeld } from '../comments/comment-calls.ts';
import {
  appendToDraft,
  type CommentDraft,
  emptyContent,
  newCommentDraft,
} from '../comments/comment-draft.ts';
import { CommentImages } from '../comments/comment-images.tsx';
import { CommentText } from '../comments/comment-text.tsx';
import { commentTexts } from '../comments/comment-texts.ts';
import { ContentEditor, contentOf } from '../comments/content-editor.tsx';
import { askHeldAgain } from '../comments/held.ts';
import styles from '../comments/queued-comments.module.css';
import { moveToNew } from '../comments/use-rescued-drafts.ts';
import buttons from '../components/button.module.css';
import { TextAreaField } from '../components/field.tsx';
import { focusTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { useLostFocus } from '../components/use-lost-focus.ts';
import { go } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { discardDraft, draftKeys, readDraft, useDraft } from '../storage/drafts.ts';
import { texts } from '../texts.ts';
import {
  addToNewChannel,
  channelEditDraft,
  heldChannelEditPrefix,
  newChannelDraft,
} from './channel-draft.ts';
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
  const shown = data?.data.filter((one) => one.channelId === channelId) ?? [];

  const onAnswer = useEffectEvent((held: Held[], here: string | null) => {
    const pending = held.filter(({ state }) => state === 'pending').map(({ id }) => id);
    // Changes that can no longer be saved.
    const lostIds = (prefix: string) => draftKeys(prefix).filter((id) => !pending.includes(id));
    if (here === null) {
      for (const id of lostIds(heldChannelEditPrefix(userId))) {
        const empty = { name: '', description: '', coverAlt: '', revision: 0, createdAt: null };
        const lost = channelEditDraft(userId, { _id: id, ...empty });
        addToNewChannel(userId, readDraft(lost));
        discardDraft(lost);
        const links = [{ href: pageRoutes.create, label: texts.createChannel }];
        showStatus({ text: commentTexts.heldChanged, links });
      }
      return;
    }
    for (const id of lostIds(editPrefix(userId, here))) {
      moveToNew(newCommentDraft(userId, here), heldEditDraft(userId, here, id));
    }
  });
  useEffect(() => {
    if (data) onAnswer(data.data, channelId);
  }, [data, channelId]);

  if (shown.length === 0) return null;
  return (
    <ul
      className={styles.list}
      aria-label={channelId ? commentTexts.heldComments : commentTexts.heldChannels}
    >
      {shown.map((held) => (
        // One that is refused replaces the one that waited, and gets its focus.
        <HeldItem key={`${held.id} ${held.state}`} held={held} onRemoved={onRemoved} />
      ))}
    </ul>
  );
}

const editPrefix = (userId: string, channelId: string) => `held-edit ${userId} ${channelId} `;

const heldEditDraft = (
  userId: string,
  channelId: string,
  id: string,
  unchanged = emptyContent,
): CommentDraft => ({ key: editPrefix(userId, channelId) + id, unchanged });

/** Adds the text of what was withdrawn to the draft of a new one, unless it has it. Its images are gone with it. */
function takeBack(userId: string, held: Held): void {
  const { channelId, comment, description } = held;
  if (channelId) {
    const draft = newCommentDraft(userId, channelId);
    if (readDraft(draft).text.includes(comment)) return;
    appendToDraft(draft, { ...contentOf(held), images: [] });
  } else if (!readDraft(newChannelDraft(userId)).description.includes(description)) {
    addToNewChannel(userId, held);
  }
}

type HeldItemProps = { held: Held; onRemoved: () => void };

function HeldItem({ held, onRemoved }: HeldItemProps) {
  const { id, channelId, state, reason, comment, mentions, images, replyTo } = held;
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  useLostFocus(item, (next) => {
    // Changes of a comment that can no longer be saved are moved to the form of a new one.
    const isTextMoved = isEditing && channelId !== null;
    if (next && !isTextMoved) next.focus();
    else onRemoved();
  });
  const textId = useId();
  const isRejected = state === 'rejected';
  const text = channelId ? comment : `${held.name}\n\n${held.description}`;

  const { isBusy, run: remove } = useExclusive(async () => {
    const result = await request(withdrawHeld, id);
    // It may also have been published or refused meanwhile.
    await askHeldAgain(queryClient, userId);
    if (result.ok) {
      const text = isRejected ? commentTexts.removed : commentTexts.withdrawn;
      const run = () => {
        takeBack(userId, held);
        if (channelId) onRemoved();
        else go(pageRoutes.create);
      };
      return showStatus({ text, action: { label: commentTexts.getTextBack, run } });
    }
    const failed = `${commentTexts.notWithdrawn} ${failureText(result)}`;
    if (isRefused(result)) return showStatus({ text: failed });
    takeBack(userId, held);
    const links = channelId ? [] : [{ href: pageRoutes.create, label: texts.createChannel }];
    showStatus({ text: `${failed} ${commentTexts.textInForm}`, links });
  });
  const save = async (change: HeldChange) => {
    const result = await request(editHeld, change);
    // Refused, it may have changed or be gone.
    await askHeldAgain(queryClient, userId);
    return result;
  };
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-describedby': textId };
  const endEditing = () => {
    setEditing(false);
    item.current?.focus();
  };

  return (
    <li ref={item} className={`box ${styles.item}`} tabIndex={-1}>
      <p className="note">{isRejected ? commentTexts.refused(reason) : accountTexts.held}</p>
      {replyTo !== null && <p className="note">{commentTexts.queuedReply}</p>}
      {isEditing ? (
        channelId ? (
          <HeldEditor held={held} channelId={channelId} save={save} onEnd={endEditing} />
        ) : (
          <ChannelForm
            channel={{ ...held, _id: id, createdAt: null }}
            save={save}
            onEnd={endEditing}
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
          <div className="buttons">
            {!isRejected && (
              <button {...button} onClick={() => setEditing(true)}>
                {commentTexts.edit}
              </button>
            )}
            <button {...button} aria-disabled={isBusy || undefined} onClick={remove}>
              {isRejected ? commentTexts.remove : commentTexts.withdraw}
            </button>
          </div>
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
  const [draft] = useState(() => heldEditDraft(userId, channelId, id, contentOf(held)));
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
