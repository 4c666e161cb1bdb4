import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { CommentEdit } from '../../shared/comments.ts';
import type { Held } from '../../shared/held.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { failureText, isRefused } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import { editHeld, listHeld, withdrawHeld } from '../comments/comment-calls.ts';
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
import { updateHeld } from '../comments/held.ts';
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
import { type ChannelChange, ChannelForm } from './channel-form.tsx';

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

  const offerText = (held: Held) => {
    const run = () => {
      takeBack(userId, held);
      if (held.channelId) onRemoved();
      else go(pageRoutes.create);
    };
    const text = held.state === 'rejected' ? commentTexts.removed : commentTexts.withdrawn;
    showStatus({ text, action: { label: commentTexts.getTextBack, run } });
  };
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
      const lost = heldEditDraft(userId, here, id);
      moveToNew(newCommentDraft(userId, here), lost, { isRescued: true }).then((isMoved) => {
        if (isMoved && document.activeElement === document.body) onRemoved();
      });
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
        <HeldItem
          key={`${held.id} ${held.state}`}
          held={held}
          onRemoved={onRemoved}
          onWithdrawn={() => offerText(held)}
        />
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

interface HeldItemProps {
  held: Held;
  onRemoved: () => void;
  onWithdrawn: () => void;
}

function HeldItem({ held, onRemoved, onWithdrawn }: HeldItemProps) {
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
    if (!result.ok) {
      // It may have been withdrawn, published or refused meanwhile, which the next answer tells.
      updateHeld(queryClient, userId, id, held);
      const failed = `${commentTexts.notWithdrawn} ${failureText(result)}`;
      if (isRefused(result)) return showStatus({ text: failed });
      takeBack(userId, held);
      const links = channelId ? [] : [{ href: pageRoutes.create, label: texts.createChannel }];
      return showStatus({ text: `${failed} ${commentTexts.textInForm}`, links });
    }
    updateHeld(queryClient, userId, id);
    onWithdrawn();
  });
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
          <HeldEditor held={held} channelId={channelId} onEnd={endEditing} />
        ) : (
          <HeldChannelEditor held={held} onEnd={endEditing} />
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

type HeldEditorProps = { held: Held; channelId: string; onEnd: () => void };

function HeldEditor({ held, channelId, onEnd }: HeldEditorProps) {
  const { id } = held;
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const [draft] = useState(() => heldEditDraft(userId, channelId, id, contentOf(held)));
  const known = useDraft(draft, ({ revision }) => revision);

  const save = async (_known: number, edit: CommentEdit) => {
    const whole = { mentions: [], images: [], ...edit };
    const result = await request(editHeld, { id, revision: held.revision, edit: whole });
    // Refused, it may have changed or be gone, which the next answer tells.
    updateHeld(queryClient, userId, id, result.ok ? result.value : held);
    return result;
  };
  return (
    <ContentEditor
      channelId={channelId}
      draft={draft}
      save={save}
      conflict={held.revision > known ? held : null}
      onEnd={onEnd}
    />
  );
}

function HeldChannelEditor({ held, onEnd }: { held: Held; onEnd: () => void }) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const save = async (change: ChannelChange) => {
    const result = await request(editHeld, change);
    // Refused, it may have changed or be gone, which the next answer tells.
    const shown = updateHeld(queryClient, userId, held.id, result.ok ? result.value : held);
    if (!result.ok) await shown;
    return result;
  };
  const channel = { ...held, _id: held.id, createdAt: null };
  return <ChannelForm channel={channel} save={save} onEnd={onEnd} />;
}
