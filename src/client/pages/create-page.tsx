import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import type { NewChannel } from '../../shared/channels.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Failure, orFailure, ownFailure } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { request } from '../api/request.ts';
import { withQueries } from '../api/with-queries.tsx';
import { createChannel } from '../conversation/change-channel-calls.ts';
import { isPendingPost, tellPending } from '../conversation/composer/pending-posts.ts';
import { preloadUploader } from '../images/upload/load-uploader.ts';
import { exampleAnchor } from '../moderation/site/first-channel-url.ts';
import { Restrictions } from '../own-decisions/restriction-messages.tsx';
import { changeEntry } from '../router/entry-state.ts';
import { go } from '../router/navigation.tsx';
import { AccountPage } from '../session/account-page.tsx';
import { useAppState, useSite, useStore, useUser } from '../state/store-provider.tsx';
import {
  coverFiles,
  exampleChannel,
  newChannelDraft,
  textFields,
} from '../storage/channel-draft.ts';
import { changeDraft, discardDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { accountTexts } from '../ui/account-texts.ts';
import { SubmitButton } from '../ui/forms/submit-button.tsx';
import { useForm } from '../ui/forms/use-form.ts';
import { listTexts } from '../ui/list-texts.ts';
import { PageBoundary } from '../ui/loading/page-boundary.tsx';
import { Alert, Note } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import styles from '../ui/styles/form-page.module.css';
import { texts } from '../ui/texts.ts';
import { ChannelFields, type ChannelTexts } from './channel-form/channel-fields.tsx';
import { fetchTiles } from './channel-form/fetch-tiles.ts';
import { useCover } from './channel-form/use-cover.ts';

function CreatePage() {
  const { dispatch } = useStore();
  const user = useUser();
  const queryClient = useQueryClient();
  const reviewsNext = useAppState((state) => state.reviewsNext);
  const { readers } = useSite();
  const draft = newChannelDraft(user.id);
  const stored = useDraft(draft, (content) => content);
  const change = (part: Partial<typeof stored>, isTyping = false) =>
    changeDraft(draft, part, isTyping);
  const cover = useCover({
    files: coverFiles,
    storedUrl: () => readDraft(draft).cover,
    onUploaded: (url) => change({ cover: url }),
  });

  /** Texts typed in this tab. A draft from another tab does not overwrite them. */
  const [typed, setTyped] = useState<Partial<ChannelTexts>>({});
  const content = { ...stored, ...typed };
  const onChange = (part: Partial<ChannelTexts>) => {
    setTyped({ ...typed, ...part });
    change(part, true);
  };

  const storeTyped = useEffectEvent(() => change(typed));
  useEffect(() => {
    if (user.isLogged) storeTyped();
  }, [user.isLogged]);

  const fillExample = useEffectEvent(async (signal: AbortSignal) => {
    if (location.hash !== `#${exampleAnchor}` || readDraft(draft) !== draft.unchanged) return;
    changeEntry({ isFragmentPending: false }, pageRoutes.create);
    change(exampleChannel);
    const tiles = await fetchTiles(signal).catch(() => null);
    if (tiles && !signal.aborted) cover.take(tiles);
  });
  useEffect(() => {
    const left = new AbortController();
    if (user.isLogged) void fillExample(left.signal);
    return () => left.abort();
  }, [user.isLogged]);

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
    try {
      return await request(createChannel, identified);
    } catch (error) {
      if (error instanceof Failure && error.isRefused) change({ request: null });
      throw error;
    }
  };

  const form = useForm({
    async send(_text, element) {
      const missing = [
        ...(name.trim() ? [] : [{ field: 'name', message: 'Escribe un título.' }]),
        ...(description.trim()
          ? []
          : [{ field: 'description', message: 'Escribe una descripción.' }]),
      ];
      // Missing texts are reported at once, not after the upload.
      if (cover.isUploading && missing.length > 0) throw ownFailure('', missing);
      const coverUrl = await cover.untilUploaded();
      if (coverUrl === undefined) return;
      if (!coverUrl) missing.push({ field: 'cover', message: 'Sube una imagen de portada.' });
      if (!coverUrl || missing.length > 0) throw ownFailure('', missing);
      let created = await orFailure(send(coverUrl));
      if (element.isConnected && created instanceof Failure && created.errorOf('cover')) {
        // The server has deleted the unused cover, but the browser still has its file.
        const again = await cover.uploadAgain();
        if (again) created = await orFailure(send(again));
      }
      if (created instanceof Failure) {
        // When the page was left, the draft keeps the request, to be resent under the same key.
        if (element.isConnected) dispatch({ type: 'SET_ERROR' });
        throw created;
      }
      // Another tab may have changed the draft in the meantime.
      const left = readDraft(draft);
      if (textFields.every((one) => left[one] === content[one])) {
        discardDraft(draft);
        // Otherwise the form would show the cover again the next time it is opened.
        await cover.discard();
      }
      if (element.isConnected) go(pageRoutes.home);
      if (isPendingPost(created)) return tellPending(queryClient, user.id);
      dispatch({ type: 'ADD_CHANNELT', channel: created });
      showStatus({
        text: 'Canal creado',
        links: [{ href: pageRoutes.channel(created._id), label: 'Ver el canal' }],
      });
    },
    isWaiting: cover.gate.isWaiting,
  });
  const { failure } = form;
  const { ref } = form.props;

  // Keeps text typed before hydration, before the fields show the draft.
  useLayoutEffect(() => {
    const element = ref.current;
    const inForm = textFields.map((name): [string, string] => [
      name,
      String((element && new FormData(element).get(name)) ?? ''),
    ]);
    setTyped(Object.fromEntries(inForm.filter(([, text]) => text)));
  }, [ref]);

  // Starting an upload clears the error about a missing cover; finishing it clears the request to wait.
  const onCover = useEffectEvent(() => {
    // A reset while the form is being sent would lose the outcome.
    if (!form.isBusy) form.reset();
  });
  useEffect(() => {
    if (cover.url || cover.isUploading) onCover();
  }, [cover.url, cover.isUploading]);

  return (
    <AccountPage name="create" isPrepared>
      <div className={`page ${styles.page} ${styles.wide}`}>
        <PageTitle>{pages.create.title}</PageTitle>
        <Restrictions />
        <p className="note">{texts.whoReads[readers]}</p>
        {reviewsNext && <Note>{accountTexts.reviewsNext}</Note>}
        <PageBoundary>
          <form {...form.props} className={`stack ${styles.form}`} onFocus={preloadUploader}>
            <ChannelFields
              content={content}
              nameLabel="Título"
              cover={cover}
              isSending={form.isBusy}
              errorOf={(field) => failure?.errorOf(field)}
              onChange={onChange}
            />
            {failure && (
              <Alert>
                <span>⚠ debes completar todos los campos y subir una imagen de portada</span>
                {!failure.isOwn && <span>{`. ${failure.message}`}</span>}
              </Alert>
            )}
            <SubmitButton
              className={styles.end}
              label={listTexts.createChannel}
              isBusy={form.isBusy}
            />
          </form>
        </PageBoundary>
      </div>
    </AccountPage>
  );
}

export const Create = withQueries(CreatePage);
