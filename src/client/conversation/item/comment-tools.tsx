import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor, commentLink, replyLink } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { callKey, refetchNow } from '../../api/user-query.ts';
import { queryClientOf } from '../../api/with-queries.tsx';
import { focusField } from '../../dom/focus-field.ts';
import { type SubjectTask, subjectActions } from '../../moderation/subject-actions.ts';
import { listOwnDecisions } from '../../own-decisions/own-decision-calls.ts';
import { changeEntry } from '../../router/entry-state.ts';
import { useStore } from '../../state/store-provider.tsx';
import { readDraft } from '../../storage/drafts.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { DiscardQuestion } from '../../ui/forms/form-end.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { Icon } from '../../ui/icons.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import { texts } from '../../ui/texts.ts';
import { giveThanks, withdrawThanks } from '../change-comment-calls.ts';
import { commentTexts } from '../comment-texts.ts';
import {
  changeComposer,
  composerDraft,
  discardWithFiles,
  isBlank,
  isChanged,
  isLocked,
  startEditing,
  withQuotation,
} from '../composer/composer-draft.ts';
import { focusComposer } from '../composer/focus-composer.ts';
import { aboutComment } from './about-comment.ts';
import { CommentMenu, type OpenCommentMenu } from './comment-menu.tsx';
import styles from './comment-tools.module.css';
import { deleteComment } from './delete-comment.ts';
import { isEditable } from './edit-time.ts';
import { QuoteButton } from './quote-button.tsx';
import { selectedText } from './selected-text.ts';
import { setThanked } from './set-thanked.ts';
import { shareComment } from './share-comment.ts';
import { withoutFirst } from './without-first.ts';

const thanks = 'Gracias';

const quote = 'Citar';

export interface CommentToolsProps {
  comment: Comment;
  userId: string;
  isThanked: boolean;
  /** Whether the comment's text is in the composer. */
  isEdited: boolean;
  isSelected: boolean;
  isClosed: boolean;
  menu: OpenCommentMenu | null;
  onMenu: (menu: OpenCommentMenu | null) => void;
  onTask: (number: number, task: SubjectTask) => void;
}

/** The buttons of a signed-in user on a comment: quote, thank, reply, and a menu. */
export function CommentTools({
  comment,
  userId,
  isThanked,
  isEdited,
  isSelected,
  isClosed,
  menu,
  onMenu,
  onTask,
}: CommentToolsProps) {
  const { channelId, number, autorId } = comment;
  const store = useStore();
  const { dispatch, getState } = store;
  const isMine = autorId === userId;
  const draft = composerDraft(userId, channelId);
  /** The pending action, which runs once the user has agreed to discard the draft. */
  const [start, setStart] = useState<(() => void) | null>(null);
  const about = (label: string) => aboutComment(label, comment);

  /** @param quoted the part of the comment to quote in the reply */
  const reply = (quoted = '') => {
    const { editing } = readDraft(draft);
    getSelection()?.removeAllRanges();
    compose(editing !== null, () => {
      if (editing) discardWithFiles(draft);
      const { text } = readDraft(draft);
      changeComposer(draft, {
        reply: { number },
        ...(quoted && { text: withQuotation(text, quoted) }),
      });
    });
  };
  const edit = () =>
    compose(readDraft(draft).editing?.number !== number, () => {
      if (readDraft(draft).editing?.number !== number) startEditing(draft, comment);
    });
  /**
   * Moves the composer here; if a draft would be lost, asks the user first. @param replaces whether `begin` discards
   * the draft
   */
  const compose = (replaces: boolean, begin: () => void) => {
    const typed = readDraft(draft);
    const { editing } = typed;
    const { comments } = getState().channels.get(channelId) ?? {};
    const isLost =
      replaces &&
      !isBlank(typed) &&
      (!editing ||
        isChanged(
          typed,
          comments?.find((one) => one.number === editing.number),
        ));
    const start = () => {
      setStart(null);
      // Phones open the keyboard only for a field that is focused during the event.
      flushSync(begin);
      focusField(commentAnchor(number));
    };
    if (isLocked(typed)) {
      showStatus({ text: commentTexts.waitUntilSent });
      focusComposer(draft);
    } else if (isLost) setStart(() => start);
    else start();
  };
  const replyAfterSignIn = useEffectEvent(() => {
    changeEntry({}, commentLink(channelId, number));
    reply();
  });
  useEffect(() => {
    const { pathname, search, hash } = location;
    if (isClosed || pathname + search + hash !== replyLink(channelId, number)) return;
    // Once the page has moved the focus to the comment in the address.
    const frame = requestAnimationFrame(() => replyAfterSignIn());
    return () => cancelAnimationFrame(frame);
  }, [isClosed, channelId, number]);

  const authorActions = () => [
    ...(isEditable(comment) ? [{ label: commentTexts.edit, run: edit }] : []),
    {
      label: 'Eliminar',
      destroys: true,
      run() {
        // Otherwise an earlier decision that hid the comment would be shown in its place.
        void refetchNow(queryClientOf(store), { queryKey: callKey(userId, listOwnDecisions) });
        void deleteComment(comment, dispatch);
      },
    },
  ];
  const othersActions = () => {
    const { role } = getState();
    return subjectActions(
      { kind: 'comment', name: comment.autor, role, isEdited: comment.revision > 1 },
      (task) => onTask(number, task),
    );
  };
  return (
    <>
      <div className={isEdited ? styles.away : `row ${styles.tools}`}>
        {!isClosed && isSelected && (
          <QuoteButton
            aria-label={about(quote)}
            onClick={({ currentTarget }) => {
              const item = currentTarget.closest('li');
              reply(item ? selectedText(item) : '');
            }}
          >
            {quote}
          </QuoteButton>
        )}
        {!isMine && (
          <ThanksButton
            comment={comment}
            userId={userId}
            isGiven={isThanked}
            label={about(thanks)}
          />
        )}
        {!isClosed && (
          <button
            type="button"
            className={`${styles.tool} ${styles.reply}`}
            aria-label={about(texts.reply)}
            onClick={() => reply()}
          >
            <Icon size={18} path="M20 18v-2a4 4 0 0 0-4-4H4m5 5-5-5 5-5" />
            <span>{texts.reply}</span>
          </button>
        )}
        <CommentMenu
          comment={comment}
          menu={menu}
          onMenu={onMenu}
          actions={() => [
            { label: texts.share, run: () => shareComment(comment, getState()) },
            ...(isMine ? authorActions() : othersActions()),
          ]}
        />
      </div>
      {start && (
        <DiscardQuestion
          question={commentTexts.discardComment}
          labels={[accountTexts.discard, 'Seguir escribiendo']}
          onDiscard={start}
          onKeepEditing={() => {
            setStart(null);
            focusComposer(draft);
          }}
        />
      )}
    </>
  );
}

interface ThanksButtonProps {
  comment: Comment;
  userId: string;
  isGiven: boolean;
  label: string;
}

function ThanksButton({ comment, userId, isGiven, label }: ThanksButtonProps) {
  const { channelId, number } = comment;
  const store = useStore();
  const { dispatch, getState } = store;

  const toggle = async () => {
    const { name } = getState().user;
    const { count, mine } = await request(isGiven ? withdrawThanks : giveThanks, comment);
    setThanked(queryClientOf(store), userId, comment, mine);
    // The comment may have changed before the response arrived, for example through an edit on the live stream.
    const channel = getState().channels.get(channelId);
    const current = channel?.comments.find((one) => one.number === number);
    if (!current) return;
    const names = withoutFirst(current.thanks.names, name);
    dispatch({
      type: 'COMMENT_CHANGED',
      comment: { ...current, thanks: { count, names: mine ? [name, ...names] : names } },
    });
  };
  const { isPending, run } = useAction<void, boolean>(() =>
    withStatus(
      isGiven ? 'No se pudo retirar el agradecimiento.' : 'No se pudieron dar las gracias.',
      toggle,
    ),
  );

  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      aria-pressed={isGiven}
      aria-disabled={isPending || undefined}
      onClick={() => isPending || void run()}
    >
      <span className={styles.thanks}>{thanks}</span>
      <Icon
        size={18}
        path="M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5"
      />
    </button>
  );
}
