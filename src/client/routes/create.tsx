import { type ReactNode, useState } from 'react';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { api, type Failure, failureText, fieldError } from '../api.ts';
import { CoverField } from '../components/cover-field.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import { NeedsScript } from '../components/needs-script.tsx';
import { Alert } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { go } from '../navigation.tsx';
import { useStore } from '../state/store.tsx';
import { useRedirectHome } from '../state/use-account.ts';
import { texts } from '../texts.ts';
import styles from './form-page.module.css';

export function Create() {
  const { state, dispatch } = useStore();
  const [cover, setCover] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | 'incomplete' | null>(null);
  const refusal = failure === 'incomplete' ? null : failure;
  useRedirectHome('guests');

  const takeCover = (uploaded: string | null) => {
    setCover(uploaded);
    // What was asked for may be there now.
    if (uploaded) setFailure(null);
  };

  const { isBusy, onSubmit } = useSubmit(async (form) => {
    const name = fieldText(form, 'name');
    const description = fieldText(form, 'description');
    if (!name.trim() || !description.trim() || !cover) return setFailure('incomplete');
    setFailure(null);
    const { user } = state;
    const result = await api.createChannel({
      name,
      description,
      cover,
      autor: user.name,
      autorId: user.id,
      autorImg: user.img ?? '',
    });
    if (!result.ok) {
      setFailure(result);
      return dispatch({ type: 'SET_ERROR' });
    }
    dispatch({ type: 'ADD_CHANNELT', channel: result.value });
    go(pageRoutes.home);
  });

  return (
    <Page>
      <form className={styles.form} method="post" onSubmit={onSubmit}>
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
        <CoverField onChange={takeCover} error={fieldError(refusal, 'cover')} />
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
