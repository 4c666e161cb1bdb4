import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { NewChannel } from '../../shared/channels.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountApi, fieldError } from '../account-api.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText } from '../api.ts';
import {
  changeDraft,
  fillInDraft,
  forgetDraft,
  keepDraftTexts,
  readDraft,
} from '../channel-draft.ts';
import { CoverField } from '../components/cover-field.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import { NeedsScript } from '../components/needs-script.tsx';
import { Alert } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { warmUploader } from '../components/use-image-upload.ts';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { isRefused, keyedRequest } from '../keyed-request.ts';
import { go } from '../navigation.tsx';
import { useStore } from '../state/store.tsx';
import { useRedirectHome } from '../state/use-account.ts';
import { texts } from '../texts.ts';
import styles from './form-page.module.css';

export function Create() {
  const { state, dispatch } = useStore();
  const { isLogged } = state.user;
  const formRef = useRef<HTMLFormElement>(null);
  const [cover, setCover] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | 'incomplete' | null>(null);
  const refusal = failure === 'incomplete' ? null : failure;
  useRedirectHome('guests');

  useEffect(() => {
    if (isLogged && formRef.current) fillInDraft(formRef.current);
  }, [isLogged]);

  const takeCover = (uploaded: string | null) => {
    setCover(uploaded);
    changeDraft({ cover: uploaded });
    // What was asked for may be there now.
    if (uploaded) setFailure(null);
  };

  const { isBusy, onSubmit } = useSubmit(async (form) => {
    const name = fieldText(form, 'name');
    const description = fieldText(form, 'description');
    if (!name.trim() || !description.trim() || !cover) return setFailure('incomplete');
    setFailure(null);
    const { user } = state;
    const body = {
      name,
      description,
      cover,
      coverAlt: fieldText(form, 'coverAlt'),
      autor: user.name,
      autorId: user.id,
      autorImg: user.img ?? '',
    };
    const typed = ['name', 'description', 'cover', 'coverAlt'] as const;
    const request = keyedRequest<NewChannel>(readDraft().request, body, [...typed]);
    changeDraft({ request });
    const result = await accountApi.createChannel(request);
    if (!result.ok) {
      if (isRefused(result)) changeDraft({ request: null });
      setFailure(result);
      return dispatch({ type: 'SET_ERROR' });
    }
    forgetDraft();
    dispatch({ type: 'ADD_CHANNELT', channel: result.value });
    go(pageRoutes.home);
  });

  return (
    <Page>
      <form
        ref={formRef}
        className={styles.form}
        method="post"
        onFocus={warmUploader}
        onInput={(event) => keepDraftTexts(event.currentTarget)}
        onSubmit={onSubmit}
      >
        <TextField
          label={accountTexts.channelTitle}
          name="name"
          autoComplete="off"
          dir="auto"
          required
          error={fieldError(refusal, 'name')}
        />
        <TextAreaField
          label={accountTexts.channelDescription}
          name="description"
          rows={4}
          required
          error={fieldError(refusal, 'description')}
        />
        <CoverField cover={cover} onChange={takeCover} error={fieldError(refusal, 'cover')} />
        <TextField
          label={accountTexts.coverAlt}
          hint={accountTexts.coverAltHint}
          name="coverAlt"
          autoComplete="off"
          dir="auto"
          error={fieldError(refusal, 'coverAlt')}
        />
        {failure && (
          <Alert>
            <span>{accountTexts.incompleteChannel}</span>
            {refusal && `. ${failureText(refusal)}`}
          </Alert>
        )}
        <SubmitButton className={styles.end} label={texts.createChannel} isBusy={isBusy} />
      </form>
    </Page>
  );
}

function Page({ children }: { children: ReactNode }) {
  return (
    <>
      <NeedsScript />
      <div className={styles.page} data-for="user">
        <PageTitle>{texts.createChannel}</PageTitle>
        {children}
      </div>
    </>
  );
}
