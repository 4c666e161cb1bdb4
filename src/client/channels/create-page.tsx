import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { NewChannel } from '../../shared/channels.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError, isRefused } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { request } from '../api/request.ts';
import { askHeldAgain, isHeld } from '../comments/held.ts';
import { Restrictions } from '../comments/own-decisions.tsx';
import styles from '../components/form-page.module.css';
import { NeedsScript } from '../components/needs-script.tsx';
import { Alert } from '../components/notice.tsx';
import { PageBoundary } from '../components/page-boundary.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { go } from '../router/navigation.tsx';
import { useRedirectHome } from '../session/session-end.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, discardDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { texts } from '../texts.ts';
import { preloadUploader } from '../uploads/use-image-upload.ts';
import { createChannel } from './channel-calls.ts';
import { coverFiles, newChannelDraft, textFields } from './channel-draft.ts';
import { ChannelFields, type ChannelTexts } from './channel-fields.tsx';
import { useCover } from './use-cover.ts';

/** Messages for the fields that were blank when the form was sent, by name. */
type Blank = Record<string, string>;

export function Create() {
  const { dispatch } = useStore();
  const user = useUser();
  const queryClient = useQueryClient();
  const formRef = useRef<HTMLFormElement>(null);
  const draft = newChannelDraft(user.id);
  const stored = useDraft(draft, (content) => content);
  const change = (part: Partial<typeof stored>) => changeDraft(draft, part);
  const cover = useCover({
    files: coverFiles,
    storedUrl: () => readDraft(draft).cover,
    onUploaded: (url) => change({ cover: url }),
  });
  const [refusal, setRefusal] = useState<{ failure: Failure } | { blank: Blank } | null>(null);
  const failure = refusal && 'failure' in refusal ? refusal.failure : null;
  const errorOf = (field: string) =>
    refusal && 'blank' in refusal ? refusal.blank[field] : fieldError(failure, field);
  useRedirectHome('create');

  /** Texts typed in this tab. Another tab's draft does not replace them. */
  const [typed, setTyped] = useState<Partial<ChannelTexts>>({});
  const content = { ...stored, ...typed };
  const onChange = (part: Partial<ChannelTexts>) => {
    setTyped({ ...typed, ...part });
    change(part);
  };

  // Takes over what was typed before hydration, before the fields show the draft.
  useLayoutEffect(() => {
    const form = formRef.current;
    const inForm = textFields.map((name) => [name, form ? fieldText(form, name) : '']);
    setTyped(Object.fromEntries(inForm.filter(([, text]) => text)));
  }, []);
  const storeTyped = useEffectEvent(() => change(typed));
  useEffect(() => {
    if (user.isLogged) storeTyped();
  }, [user.isLogged]);

  // The upload of a missing cover clears the error that asked for it, and its end one that asked to wait.
  useEffect(() => {
    // biome-ignore lint/nursery/useReactCompiler: the upload begins and ends outside React
    if (cover.url || cover.isUploading) setRefusal(null);
  }, [cover.url, cover.isUploading]);

  const { name, description, coverAlt } = content;
  const send = async (coverUrl: string) => {
    const body = {
      name,
      description,
      cover: coverUrl,
      coverAlt,
      autor: user.name,
      autorId: user.id,
      autorImg: user.img ?? '',
    };
    const identified = idempotentRequest<NewChannel>(readDraft(draft).request, body);
    change({ request: identified });
    const result = await request(createChannel, identified);
    if (!result.ok && isRefused(result)) change({ request: null });
    return result;
  };

  const { isBusy, onSubmit } = useSubmit(async (_form, isShown) => {
    const blank = {
      ...(!name.trim() && { name: accountTexts.missingTitle }),
      ...(!description.trim() && { description: accountTexts.missingDescription }),
      ...(!cover.url && {
        cover: cover.isUploading ? accountTexts.coverNotReady : accountTexts.missingCover,
      }),
    };
    if (!cover.url || Object.keys(blank).length > 0) return setRefusal({ blank });
    setRefusal(null);
    let result = await send(cover.url);
    if (isShown() && !result.ok && fieldError(result, 'cover')) {
      // The server has deleted the unused cover meanwhile, but the browser still has its file.
      const again = await cover.uploadAgain();
      if (again) result = await send(again);
    }
    if (!result.ok) {
      // After leaving the page, the draft keeps the request, to be sent again under the same key.
      if (!isShown()) return;
      setRefusal({ failure: result });
      return dispatch({ type: 'SET_ERROR' });
    }
    // Another tab may have changed the draft meanwhile.
    const left = readDraft(draft);
    if (textFields.every((one) => left[one] === content[one])) {
      discardDraft(draft);
      // A page that is opened next would show the cover again.
      await cover.discard();
    }
    if (isShown()) go(pageRoutes.home);
    if (isHeld(result.value)) {
      askHeldAgain(queryClient, user.id);
      return showStatus({ text: accountTexts.held });
    }
    dispatch({ type: 'ADD_CHANNELT', channel: result.value });
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
        <Restrictions />
        <PageBoundary>
          <form
            ref={formRef}
            className={styles.form}
            method="post"
            onFocus={preloadUploader}
            onSubmit={onSubmit}
          >
            <ChannelFields
              content={content}
              cover={cover}
              isSending={isBusy}
              errorOf={errorOf}
              onChange={onChange}
            />
            {refusal && (
              <Alert>
                <span>{accountTexts.incompleteChannel}</span>
                {failure && <span>{`. ${failureText(failure)}`}</span>}
              </Alert>
            )}
            <SubmitButton className={styles.end} label={texts.createChannel} isBusy={isBusy} />
          </form>
        </PageBoundary>
      </div>
    </>
  );
}
