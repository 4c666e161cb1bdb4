import { useEffect, useRef, useState } from 'react';
import type { NewChannel } from '../../shared/channels.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError, isRefused } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { request } from '../api/request.ts';
import { TextAreaField, TextField } from '../components/field.tsx';
import styles from '../components/form-page.module.css';
import { NeedsScript } from '../components/needs-script.tsx';
import { Alert } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { go } from '../router/navigation.tsx';
import { useRedirectHome } from '../session/session-end.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { preloadUploader } from '../uploads/use-image-upload.ts';
import { createChannel } from './channel-calls.ts';
import {
  changeDraft,
  discardDraft,
  fillInDraft,
  readDraft,
  storeDraftTexts,
} from './channel-draft.ts';
import { CoverField } from './cover-field.tsx';
import { type Cover, useCover } from './use-cover.ts';

const uploading: Cover['upload']['status'][] = ['preparing', 'running', 'paused', 'finishing'];

function missingCoverText({ upload }: Cover): string {
  return uploading.includes(upload.status) ? accountTexts.coverNotReady : accountTexts.missingCover;
}

/** Messages for the fields that were blank when the form was sent, by name. */
type Blank = Record<string, string>;

export function Create() {
  const { dispatch } = useStore();
  const user = useUser();
  const formRef = useRef<HTMLFormElement>(null);
  const cover = useCover();
  const [refusal, setRefusal] = useState<{ failure: Failure } | { blank: Blank } | null>(null);
  const failure = refusal && 'failure' in refusal ? refusal.failure : null;
  const errorOf = (field: string) =>
    refusal && 'blank' in refusal ? refusal.blank[field] : fieldError(failure, field);
  useRedirectHome('create');

  useEffect(() => {
    if (user.isLogged && formRef.current) fillInDraft(user.id, formRef.current);
  }, [user.isLogged, user.id]);

  // The upload of a missing cover clears the error that asked for it.
  useEffect(() => {
    // biome-ignore lint/nursery/useReactCompiler: the upload ends outside React
    if (cover.url) setRefusal(null);
  }, [cover.url]);

  const send = async (form: HTMLFormElement, coverUrl: string) => {
    const body = {
      name: fieldText(form, 'name'),
      description: fieldText(form, 'description'),
      cover: coverUrl,
      coverAlt: fieldText(form, 'coverAlt'),
      autor: user.name,
      autorId: user.id,
      autorImg: user.img ?? '',
    };
    const typed = ['name', 'description', 'cover', 'coverAlt'] as const;
    const identified = idempotentRequest<NewChannel>(readDraft(user.id).request, body, [...typed]);
    changeDraft(user.id, { request: identified });
    const result = await request(createChannel, identified);
    if (!result.ok && isRefused(result)) changeDraft(user.id, { request: null });
    return result;
  };

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    const name = fieldText(form, 'name');
    const description = fieldText(form, 'description');
    const blank = {
      ...(!name.trim() && { name: accountTexts.missingTitle }),
      ...(!description.trim() && { description: accountTexts.missingDescription }),
      ...(!cover.url && { cover: missingCoverText(cover) }),
    };
    if (!cover.url || Object.keys(blank).length > 0) return setRefusal({ blank });
    setRefusal(null);
    let result = await send(form, cover.url);
    if (isShown() && !result.ok && fieldError(result, 'cover')) {
      // The server has deleted the unused cover meanwhile, but the browser still has its file.
      const again = await cover.uploadAgain();
      if (again) result = await send(form, again);
    }
    // After leaving the page, the draft keeps the request, to be sent again under the same key.
    if (!isShown()) return;
    if (!result.ok) {
      setRefusal({ failure: result });
      return dispatch({ type: 'SET_ERROR' });
    }
    discardDraft(user.id, form);
    dispatch({ type: 'ADD_CHANNELT', channel: result.value });
    go(pageRoutes.home);
    showStatus({
      text: accountTexts.channelCreated,
      links: [{ href: pageRoutes.channel(result.value._id), label: accountTexts.openChannel }],
    });
  });

  return (
    <>
      <NeedsScript title={pages.create.title} />
      <div className={styles.page} data-for="user">
        <PageTitle>{pages.create.title}</PageTitle>
        <form
          ref={formRef}
          className={styles.form}
          method="post"
          onFocus={preloadUploader}
          onInput={(event) => storeDraftTexts(user.id, event.currentTarget)}
          onSubmit={onSubmit}
        >
          <TextField
            label={accountTexts.channelTitle}
            name="name"
            autoComplete="off"
            dir="auto"
            required
            error={errorOf('name')}
          />
          <TextAreaField
            label={accountTexts.channelDescription}
            name="description"
            rows={4}
            autoComplete="off"
            required
            error={errorOf('description')}
          />
          <CoverField cover={cover} error={errorOf('cover')} />
          <TextField
            label={accountTexts.coverAlt}
            hint={accountTexts.coverAltHint}
            name="coverAlt"
            autoComplete="off"
            dir="auto"
            error={errorOf('coverAlt')}
          />
          {refusal && (
            <Alert>
              <span>{accountTexts.incompleteChannel}</span>
              {failure && `. ${failureText(failure)}`}
            </Alert>
          )}
          <SubmitButton className={styles.end} label={texts.createChannel} isBusy={isBusy} />
        </form>
      </div>
    </>
  );
}
