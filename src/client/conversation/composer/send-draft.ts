import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment, NewComment } from '../../../shared/comments.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { commentAnchor, commentLink, pageRoutes } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { type IdempotentRequest, idempotencyKey, newKey } from '../../api/idempotent-request.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { isInView } from '../../dom/keep-reading.ts';
import type { Store } from '../../state/store.ts';
import { useAppState } from '../../state/store-provider.tsx';
import { draftKeys, onDraftChange } from '../../storage/draft-texts.ts';
import { discardDraft, readDraft } from '../../storage/drafts.ts';
import { readSession } from '../../storage/session.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { bodyOf, changeComposer, composerDraft, isLocked } from './composer-draft.ts';
import { draftPrefix } from './edited-comment.ts';
import { isPendingPost, tellPending } from './pending-posts.ts';

const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

const alreadySent =
  'Lo que enviaste antes, con otro texto, ya llegó. Compruébalo antes de volver a enviar este.';

const sendComment = defineUserCall<IdempotentRequest<NewComment>, Comment | PendingPost>(
  'PUT',
  apiRoutes.comment,
  { headers: idempotencyKey, body: ({ body }) => body, credentials: 'include' },
);

/** Shows a sent comment: in the state or, if it is pending, among the account's pending posts. */
export interface Shown {
  store: Store;
  queryClient: QueryClient;
}

interface SendOptions {
  isBackground?: boolean;
  /** Whether the user still looks at the form that sends, and sees where the comment is added. */
  isWatched?: () => boolean;
}

/**
 * Sends the comment of a draft and shows it. A draft that is being sent is not sent again meanwhile. Without a connection the draft waits, and its author can withdraw it.
 * Without a response it stays in `sending` and is sent again under the same key; a refusal frees the draft under a new
 * key.
 * @returns the comment; null when it is pending, and while there is no connection or no response
 */
export function sendDraft(
  channelId: string,
  { store, queryClient }: Shown,
  { isBackground = false, isWatched = () => false }: SendOptions,
): Promise<Comment | null | Failure> {
  const { user } = store.getState();
  const draft = composerDraft(user.id, channelId);
  const content = readDraft(draft);
  const { key } = content;
  const send = async () => {
    if (!navigator.onLine && content.state !== 'sending') {
      changeComposer(draft, { state: 'waiting', refusal: '', hasServerFailed: false });
      return null;
    }
    changeComposer(draft, { state: 'sending', refusal: '' });
    const author = { autor: user.name, autorId: user.id, autorImg: user.img ?? '' };
    const sent = await orFailure(
      bodyOf(content).then((typed) => {
        const body = { id: channelId, ...typed, ...author };
        return request(sendComment, { key, body }, { isBackground });
      }),
    );
    const isSame = readDraft(draft).key === key;
    if (sent instanceof Failure) {
      // The server may have stored the comment although it responded with an error.
      const isKnown = !sent.isUnknown || sent.isRefusedByProxy || sent.code === 'storage_full';
      if (!isKnown) {
        if (isSame) changeComposer(draft, { hasServerFailed: sent.hasServerFailed });
        return null;
      }
      // The session has ended. After the next sign-in a background request is repeated; otherwise the draft is back in
      // the field.
      const after = isBackground ? 'waiting' : 'typing';
      if (isSame && sent.status === 401) changeComposer(draft, { state: after });
      else if (isSame) {
        const isPublished = sent.code === 'idempotency_key_reused';
        const refusal = isPublished ? alreadySent : sent.text;
        // A restriction on writing is checked before the key: an earlier request may have stored the comment.
        const isFreed = sent.isRefused && sent.status !== 403;
        changeComposer(draft, {
          state: 'refused',
          refusal,
          refusedField: sent.fields[0]?.field ?? '',
          ...(isFreed && { key: newKey() }),
        });
        const href = pageRoutes.channel(channelId);
        if (location.pathname !== href) {
          const text = `${accountTexts.commentFailed}. ${refusal}`;
          showStatus({ text, links: [{ href, label: 'Ver lo que escribiste' }] });
        }
      }
      return sent;
    }
    // As specified, the response is written to the console.
    console.log(sent);
    if (isSame) discardDraft(draft);
    if (isPendingPost(sent)) {
      tellPending(queryClient, user.id);
      return null;
    }
    store.dispatch({ type: 'ADD_COMMENT', comment: sent });
    const isNear = isWatched();
    // Once the comment is rendered, and the focus has moved to it.
    setTimeout(() => readSession()?.id === user.id && tellSent(channelId, sent, isNear));
    return sent;
  };
  const queryKey = ['sent draft', key];
  return queryClient.fetchQuery({ queryKey, queryFn: send, staleTime: 0, gcTime: 0 });
}

/**
 * Tells that a comment was sent, with a link unless it is seen. A reply is added below other comments, which may be out of
 * view. @param isNear whether the form is there that sent it
 */
function tellSent(channelId: string, { number, replyTo }: Comment, isNear: boolean): void {
  const [text, label] =
    replyTo === null
      ? [accountTexts.commentSent, 'Ver el comentario']
      : ['Respuesta enviada', 'Ver la respuesta'];
  const links = [{ href: commentLink(channelId, number), label }];
  const isSeen =
    isNear && (replyTo === null || isInView(document.getElementById(commentAnchor(number))));
  showStatus({ text, ...(isSeen ? { isOnlyHeard: true } : { links }) });
}

/** Ids of the channels in which the account has a comment to send. */
const channelsToSend = (userId: string) =>
  draftKeys(draftPrefix(userId)).filter((channelId) =>
    isLocked(readDraft(composerDraft(userId, channelId))),
  );

/**
 * Sends the account's drafts that are waiting or got no response: now, at growing intervals, when the network
 * returns and when a live stream opens.
 */
export function useWaitingDrafts(userId: string, store: Store): void {
  const liveStreams = useAppState((state) => state.liveStreams);
  const hasSome = useSyncExternalStore(onDraftChange, () => channelsToSend(userId).length > 0);
  useQuery({
    queryKey: [...accountKey(userId), 'waiting drafts', liveStreams],
    /** @returns how many attempts in a row have left some drafts unsent */
    queryFn: async ({ client, queryKey }) => {
      for (const channelId of channelsToSend(userId)) {
        // While an earlier draft is sent, the user may sign out, and another tab may withdraw or send this one.
        if (readSession()?.id !== userId) return 0;
        if (!isLocked(readDraft(composerDraft(userId, channelId)))) continue;
        await sendDraft(channelId, { store, queryClient: client }, { isBackground: true });
      }
      const isDone = channelsToSend(userId).length === 0;
      return isDone ? 0 : (client.getQueryData<number>(queryKey) ?? 0) + 1;
    },
    refetchInterval: ({ state: { data = 0 } }) =>
      hasSome && Math.min(longestDelayMs, firstDelayMs * 2 ** data),
    refetchIntervalInBackground: true,
    refetchOnReconnect: 'always',
    refetchOnWindowFocus: false,
  });
}
