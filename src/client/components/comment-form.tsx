import { type KeyboardEvent, useId, useState } from 'react';
import { accountTexts } from '../account-texts.ts';
import { api, type Failure, failureText, fieldError } from '../api.ts';
import { useStore } from '../state/store.tsx';
import styles from './comment-form.module.css';
import { TextAreaField } from './field.tsx';
import { Alert } from './notice.tsx';
import { SubmitButton } from './submit-button.tsx';
import { fieldText, useSubmit } from './use-submit.ts';

/** What was typed and not sent, so that a look at another page or a lost session costs no text. */
const drafts = new Map<string, string>();

export function CommentForm({ channelId }: { channelId: string }) {
  const { state, dispatch } = useStore();
  const { id: userId, name, img } = state.user;
  const draftKey = `${userId} ${channelId}`;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [draft] = useState(() => drafts.get(draftKey));
  const alertId = useId();

  const { isBusy, onSubmit } = useSubmit(async (form) => {
    setFailure(null);
    const result = await api.sendComment({
      id: channelId,
      comment: fieldText(form, 'comment'),
      autor: name,
      autorImg: img ?? '',
    });
    if (!result.ok) return setFailure(result);
    // Specified: the response is also written to the console.
    console.log(result.value);
    dispatch({ type: 'ADD_COMMENT', comment: result.value });
    drafts.delete(draftKey);
    emptyField(form);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };

  return (
    <form className={styles.form} method="post" onSubmit={onSubmit}>
      <TextAreaField
        label={accountTexts.writeComment}
        name="comment"
        rows={8}
        required
        placeholder={accountTexts.commentPlaceholder}
        defaultValue={draft}
        aria-describedby={failure ? alertId : undefined}
        onInput={(event) => drafts.set(draftKey, event.currentTarget.value)}
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
  );
}

/** Not `form.reset()`, which would bring back the draft that the form began with. */
function emptyField(form: HTMLFormElement): void {
  const field = form.elements.namedItem('comment');
  if (field instanceof HTMLTextAreaElement) field.value = '';
}
