import { useQueryClient } from '@tanstack/react-query';
import {
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor, commentLink } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { focusElement } from '../../dom/focus-element.ts';
import { useLeaveQuestion } from '../../images/upload/use-loss-warning.ts';
import { Restrictions } from '../../own-decisions/restriction-messages.tsx';
import { go, Link } from '../../router/navigation.tsx';
import { useAppState, useStore, useUser } from '../../state/store-provider.tsx';
import { isOnlyInMemory, onDraftChange } from '../../storage/draft-texts.ts';
import { readDraft, useDraft } from '../../storage/drafts.ts';
import { currentUserId } from '../../storage/session.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { Conflict } from '../../ui/forms/conflict.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { SubmitButton } from '../../ui/forms/submit-button.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Icon } from '../../ui/icons.tsx';
import { Alert, Note } from '../../ui/notice.tsx';
import { copyText, offerText } from '../../ui/status/copy-text.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import { editComment } from '../change-comment-calls.ts';
import { commentTexts } from '../comment-texts.ts';
import { fetchComment } from '../fetch-comment.ts';
import { ReplyLine } from '../item/reply-line.tsx';
import { restoreReloaded } from '../reading/scroll-position.ts';
import { CommentText } from '../text/comment-text.tsx';
import { CommentImagesField } from './comment-images-field.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import styles from './composer.module.css';
import {
  bodyOf,
  type Content,
  changeComposer,
  composerDraft,
  detach,
  discardWithFiles,
  isBlank,
  isChanged,
  isLocked,
  targetOf,
} from './composer-draft.ts';
import { composerSlot } from './composer-slot.ts';
import { AnnouncementField, EventField, PollField } from './event-part.ts';
import { PendingItems } from './pending-part.tsx';
import { sendDraft } from './send-draft.ts';
import { UnsentComments } from './unsent-comments.tsx';

const notStored =
  'Este navegador no tiene espacio para guardar lo que escribes. Envíalo o cópialo antes de salir de esta página.';

const modes = {
  new: {
    field: {
      label: 'Escribe un comentario',
      rows: 8,
      placeholder: 'click aquí para empezar a escribir',
    },
    send: 'Comentar',
    question: commentTexts.discardComment,
  },
  reply: {
    field: { label: 'Escribe tu respuesta', rows: 4 },
    send: 'Enviar',
    question: '¿Descartar la respuesta?',
  },
  editing: {
    field: { label: 'Edita tu comentario', rows: 6 },
    send: accountTexts.save,
    question: '¿Descartar los cambios?',
  },
};

/**
 * A channel's only composer, below the account's unpublished posts there. It stands at the end of the page, or in a
 * comment while it replies to or edits that comment. Its DOM element is moved, so that uploads continue.
 */
export function Composer({ channelId, isClosed }: { channelId: string; isClosed: boolean }) {
  const { id: userId } = useUser();
  const draft = composerDraft(userId, channelId);
  const target = useDraft(draft, targetOf);
  const isEditing = useDraft(draft, ({ editing }) => editing !== null);
  const channel = useAppState(({ channels }) => channels.get(channelId));
  const [element] = useState(() => document.createElement('div'));
  const end = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  // Read before the comment that contains the composer is removed, which takes the focus from the field.
  const hadFocus = element.contains(document.activeElement);

  useLayoutEffect(() => {
    const comment = target === undefined ? null : document.getElementById(commentAnchor(target));
    const slot = comment?.querySelector(`[${composerSlot}]`) ?? end.current;
    if (element.parentNode === slot) return;
    slot?.append(element);
    // A reply that began before the composer was loaded has focused the comment itself.
    const isAwaited = comment !== null && document.activeElement === comment;
    const hasLostFocus = hadFocus && target !== undefined && !comment;
    if (isAwaited || hasLostFocus) element.querySelector('textarea')?.focus();
    if (isFirst.current && comment) restoreReloaded(channel?.comments ?? []);
    isFirst.current = false;
  });
  // In a closed channel, comments can still be edited.
  if (isClosed && !isEditing) return <UnsentComments channelId={channelId} />;
  return (
    <>
      <PendingItems channelId={channelId} />
      <Restrictions />
      <div ref={end} />
      <Within element={element}>
        <ComposerForm channelId={channelId} />
      </Within>
    </>
  );
}

/** Renders its children in an element that may be moved. */
function Within({ element, children }: { element: HTMLElement; children: ReactNode }) {
  return createPortal(children, element);
}

function ComposerForm({ channelId }: { channelId: string }) {
  const store = useStore();
  const { dispatch, getState } = store;
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const draft = composerDraft(userId, channelId);
  const content = useDraft(draft, (one) => one);
  const { reply, editing, uploads, state, refusal } = content;
  const number = targetOf(content);
  const channel = useAppState(({ channels }) => channels.get(channelId));
  const target = channel?.comments.find((one) => one.number === number);
  const reviewsNext = useAppState((state) => state.reviewsNext);
  const [conflict, setConflict] = useState<Comment | null>(null);
  const [hasToWait, setHasToWait] = useState(false);
  if (hasToWait && uploads.length === 0) setHasToWait(false);
  if (conflict && conflict.number !== editing?.number) setConflict(null);
  const id = useId();

  const mode = editing ? 'editing' : reply ? 'reply' : 'new';

  /** Whether the user has not turned to something else meanwhile, such as a menu or another page. */
  const isWatched = (form: HTMLElement) => {
    const focused = document.activeElement;
    // Safari focuses no button that is pressed, but what is around it.
    const hasLeft = focused !== null && !focused.contains(form) && !form.contains(focused);
    return form.isConnected && !hasLeft;
  };
  /** Shows a sent comment: where it was added, or on the page of the newest comments. */
  const show = ({ number, replyTo }: Comment) => {
    if (replyTo !== null) return focusElement(commentAnchor(replyTo));
    const shown = getState().channels.get(channelId)?.comments;
    const isShown = shown?.some((one) => one.number === number);
    if (!isShown) return go(commentLink(channelId, number), { hasWayBack: true });
    requestAnimationFrame(() =>
      document.getElementById(commentAnchor(number))?.scrollIntoView({ block: 'nearest' }),
    );
  };
  const send = async (form: HTMLElement) => {
    const options = { isWatched: () => isWatched(form) };
    const sent = await sendDraft(channelId, { store, queryClient }, options);
    if (sent && !(sent instanceof Failure) && isWatched(form)) show(sent);
  };

  const save = async (typed: Content, { number, revision }: NonNullable<typeof editing>) => {
    const edit = await bodyOf(typed);
    const saved = await orFailure(request(editComment, { channelId, number, revision, edit }));
    if (!(saved instanceof Failure)) return saved;
    if (saved.status === 412) {
      const current = await fetchComment({ channelId, number });
      // An earlier request succeeded but its response was lost.
      if (current && !isChanged(typed, current)) return current;
      if (current) {
        dispatch({ type: 'COMMENT_CHANGED', comment: current });
        // The draft keeps the old revision: the conflict is not shown on other pages.
        setConflict(current);
      }
    }
    if (saved.code === 'comment_not_found')
      dispatch({ type: 'COMMENT_REMOVED', channelId, number });
    throw saved;
  };
  const saveChanges = async (changed: NonNullable<typeof editing>, element: HTMLElement) => {
    const typed = readDraft(draft);
    const revision = conflict?.revision ?? changed.revision;
    const saved = await orFailure(save(typed, { ...changed, revision }));
    if (saved instanceof Failure) {
      if (!element.isConnected && currentUserId() === userId)
        offerText(`${accountTexts.notSaved} ${saved.text}`, typed.text);
      throw saved;
    }
    dispatch({ type: 'COMMENT_CHANGED', comment: saved });
    showStatus({ text: 'Cambios guardados' });
    // Another tab, or this page when it was reopened, may have changed the draft in the meantime.
    const now = readDraft(draft);
    if (now === typed) {
      discardWithFiles(draft);
      focusElement(commentAnchor(changed.number));
    } else if (now.editing?.number === changed.number) {
      changeComposer(draft, { editing: { ...changed, revision: saved.revision } });
    }
  };

  const leave = () => {
    discardWithFiles(draft);
    if (number !== undefined) focusElement(commentAnchor(number));
  };
  const form = useForm({
    async send(_text, element) {
      const typed = readDraft(draft);
      if (isLocked(typed)) return;
      if (typed.uploads.length > 0) return setHasToWait(true);
      if (typed.editing) return saveChanges(typed.editing, element);
      await send(element);
    },
    isTyped: () => !isBlank(content) && (!editing || isChanged(content, target)),
    onCancel: number === undefined || isLocked(content) ? undefined : leave,
  });
  const { ref } = form.props;
  const isUnstored = useSyncExternalStore(onDraftChange, () => isOnlyInMemory(draft.key));
  useLeaveQuestion(isUnstored);

  /** Whether a button makes the text a new comment. An edit has it while its comment is not loaded, or once it was refused. */
  const isDetachable = number !== undefined && (!editing || !target || form.failure?.isRefused);
  const alert = refusal
    ? `${accountTexts.commentFailed}. ${refusal}`
    : form.alert && (editing ? `${accountTexts.notSaved} ${form.alert}` : form.alert);
  const noteIds = [number !== undefined, reviewsNext, alert]
    .flatMap((note, index) => (note ? `${id}-${index}` : []))
    .join(' ');
  const isPending = isLocked(content) && !form.isBusy;
  const isReadOnly = isLocked(content) || form.isBusy;
  return (
    <form
      {...form.props}
      className={mode === 'new' ? styles.form : styles.inComment}
      aria-label={mode === 'new' ? undefined : modes[mode].field.label}
    >
      {number !== undefined && (
        <div className={styles.target}>
          {reply && target ? (
            <ReplyLine id={`${id}-0`} href={commentLink(channelId, number)} autor={target.autor} />
          ) : (
            isDetachable && (
              <p id={`${id}-0`}>
                <Link
                  href={commentLink(channelId, number)}
                >{`${editing ? 'Estás editando el' : 'En respuesta al'} comentario n.º ${number}`}</Link>
              </p>
            )
          )}
          {isDetachable && !isReadOnly && (
            <button
              type="button"
              className={`${buttons.round} ${styles.remove}`}
              aria-label={
                editing
                  ? 'Dejar de cambiar este comentario'
                  : 'Dejar de responder a este comentario'
              }
              onClick={() => detachAndFocus()}
            >
              <Icon size={18} path="M18 6 6 18M6 6l12 12" />
            </button>
          )}
        </div>
      )}
      {reviewsNext && !editing && <Note id={`${id}-1`}>{accountTexts.reviewsNext}</Note>}
      <CommentTextField
        draft={draft}
        channelId={channelId}
        {...modes[mode].field}
        readOnly={isReadOnly}
        aria-describedby={noteIds || undefined}
      />
      {conflict && (
        <Conflict>
          <CommentText text={conflict.comment} mentions={conflict.mentions} />
        </Conflict>
      )}
      {isUnstored && <Note>{notStored}</Note>}
      {alert && !form.isAsking && (
        <Alert id={`${id}-2`} isScrolledTo>
          {alert}
        </Alert>
      )}
      <p role="status" className={isPending ? 'note' : 'visually-hidden'}>
        {isPending &&
          (content.hasServerFailed ? accountTexts.queuedForServer : accountTexts.queued)}
      </p>
      {content.event && <EventField draft={draft} isLocked={isReadOnly} />}
      {content.poll && <PollField draft={draft} isLocked={isReadOnly} />}
      {content.announcement && <AnnouncementField draft={draft} isLocked={isReadOnly} />}
      <CommentImagesField draft={draft} isLocked={isReadOnly} hasToWait={hasToWait}>
        {isPending ? (
          <div className="row">
            {state === 'waiting' ? (
              <button
                type="button"
                className={buttons.quiet}
                onClick={() => changeComposer(draft, { state: 'typing' })}
              >
                Cambiar
              </button>
            ) : (
              <>
                <CopyButton text={content.text} />
                <button type="button" className={buttons.quiet} data-destroys onClick={leave}>
                  {accountTexts.discard}
                </button>
              </>
            )}
            <button
              type="button"
              className={buttons.quiet}
              onClick={({ currentTarget: { form } }) => form && send(form)}
            >
              Enviar ahora
            </button>
          </div>
        ) : mode === 'new' ? (
          <SubmitButton className={styles.send} label={modes.new.send} isBusy={form.isBusy} />
        ) : (
          <FormEnd
            form={{ ...form, alert: null }}
            label={modes[mode].send}
            question={modes[mode].question}
          />
        )}
      </CommentImagesField>
    </form>
  );

  function detachAndFocus() {
    detach(draft);
    form.reset();
    requestAnimationFrame(() => ref.current?.querySelector('textarea')?.focus());
  }
}

function CopyButton({ text }: { text: string }) {
  return (
    <button type="button" className={buttons.quiet} onClick={() => copyText(text)}>
      {commentTexts.copy}
    </button>
  );
}
