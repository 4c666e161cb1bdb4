import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { accountApi, fieldError } from '../account/account-api.ts';
import { failureText } from '../account/account-call.ts';
import { accountTexts } from '../account/account-texts.ts';
import type { Failure } from '../api/api.ts';
import { idempotentRequest, isRefused } from '../api/idempotent-request.ts';
import { learnServerTime } from '../api/server-time.ts';
import { TextAreaField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { commentDraft } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { enqueueComment } from './outbox.ts';
import { QueuedComments } from './queued-comments.tsx';

export function CommentForm({ channelId }: { channelId: string }) {
  const { dispatch } = useStore();
  const { id: userId, name, img } = useUser();
  const draft = useMemo(() => commentDraft(userId, channelId), [userId, channelId]);
  const formRef = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const alertId = useId();

  const { isBusy, onSubmit } = useSubmit(async (form) => {
    setFailure(null);
    const comment = fieldText(form, 'comment');
    const body = { id: channelId, comment, autor: name, autorId: userId, autorImg: img ?? '' };
    const request = idempotentRequest(draft.read()?.request ?? null, body, ['comment']);
    draft.store(comment, request);
    const result = await accountApi.sendComment(request);
    if (result.ok) {
      // As specified, the response is written to the console.
      console.log(result.value);
      dispatch({ type: 'ADD_COMMENT', comment: result.value });
    } else if (result.problem) {
      if (isRefused(result) && draft.read()?.text === comment) draft.store(comment);
      return setFailure(result);
    } else {
      enqueueComment(userId, request);
    }
    draft.clearSent(comment);
  });

  useEffect(() => {
    const field = commentField(formRef.current);
    return field ? draft.showIn(field) : undefined;
  }, [draft]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };

  return (
    <>
      <QueuedComments
        channelId={channelId}
        onRemoved={() => commentField(formRef.current)?.focus()}
      />
      <form ref={formRef} className={styles.form} method="post" onSubmit={onSubmit}>
        <TextAreaField
          label={accountTexts.writeComment}
          name="comment"
          rows={8}
          required
          placeholder={accountTexts.commentPlaceholder}
          aria-describedby={failure ? alertId : undefined}
          onFocus={learnServerTime}
          onInput={(event) => draft.store(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {failure && (
          <Alert id={alertId}>
            <span>{accountTexts.commentFailed}</span>
            {'. '}
            {fieldError(failure, 'comment') ?? failureText(failure)}
          </Alert>
        )}
        <SubmitButton className={styles.send} label={accountTexts.sendComment} isBusy={isBusy} />
      </form>
    </>
  );
}

function commentField(form: HTMLFormElement | null): HTMLTextAreaElement | null {
  const field = form?.elements.namedItem('comment');
  return field instanceof HTMLTextAreaElement ? field : null;
}
