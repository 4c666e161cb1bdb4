import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Comment, NewComment } from '../../shared/comments.ts';
import type { Held } from '../../shared/held.ts';
import { accountTexts } from '../account-texts.ts';
import { defineUserCall, fetchServerTime, serverNow } from '../api/call.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { type IdempotentRequest, idempotencyKey } from '../api/idempotent-request.ts';
import { accountKey } from '../api/query-client.ts';
import { type RequestOptions, request } from '../api/request.ts';
import { showStatus } from '../components/status-bar.tsx';
import type { Store } from '../state/store.ts';
import { useAppState } from '../state/store-provider.tsx';
import { draftKeys, onDraftChange } from '../storage/draft-changes.ts';
import { changeDraft, type Draft, discardDraft, readDraft } from '../storage/drafts.ts';
import { readSession } from '../storage/session.ts';
import { withTabLock } from '../storage/tab-lock.ts';
import { askHeldAgain, isHeld } from './held.ts';
import { loadUpTo } from './load-comments.ts';

const unqueued = {
  body: { id: '', comment: '' } as NewComment,
  /** Its position in the queue, by the name that is stored: the lowest is sent first. */
  place: 0,
  /** When it was queued, by the server's clock; null while that is unknown. */
  sentAtMs: null as number | null,
  /** The server's reason for rejecting it for good; null while it is to be sent. */
  refusal: null as string | null,
};
export type QueuedComment = IdempotentRequest<NewComment> & typeof unqueued;

/** Less than the server keeps idempotency keys: sent later, a comment could be stored twice. */
const maxAgeMs = 29 * 86_400_000;
const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

const sendComment = defineUserCall<IdempotentRequest<NewComment>, Comment | Held>(
  'PUT',
  apiRoutes.comment,
  { headers: idempotencyKey, body: ({ body }) => body, credentials: 'include' },
);

/**
 * A comment that was sent without a response, and is sent again until the server accepts or rejects
 * it. Each is a draft of its own, so that tabs do not overwrite each other's.
 */
export const queuedDraft = (userId: string, key: string): Draft<typeof unqueued> => ({
  key: `outbox ${userId} ${key}`,
  unchanged: unqueued,
});

/** The queued comments of an account, oldest first. */
export const readOutbox = (userId: string): QueuedComment[] =>
  draftKeys(queuedDraft(userId, '').key)
    .map((key) => ({ ...readDraft(queuedDraft(userId, key)), key }))
    .filter(({ body }) => body.id !== '')
    .sort((a, b) => a.place - b.place);

const firstUnsent = (userId: string) => readOutbox(userId).find(({ refusal }) => refusal === null);

/** Adds a comment at the end of the queue. */
export function enqueueComment(userId: string, request: IdempotentRequest<NewComment>): void {
  const place = (readOutbox(userId).at(-1)?.place ?? 0) + 1;
  changeDraft(queuedDraft(userId, request.key), { ...request, place, sentAtMs: serverNow() });
}

/** Shows a sent comment: in the state or, if it is held, among the held posts of the account. */
interface Shown {
  store: Store;
  queryClient: QueryClient;
}

/** Sends a new comment and shows it. @returns null for a comment that is held; @throws `Failure` */
export async function postComment(
  { key, body }: IdempotentRequest<NewComment>,
  { store, queryClient }: Shown,
  options?: RequestOptions,
): Promise<Comment | null> {
  const sent = await request(sendComment, { key, body }, options);
  // As specified, the response is written to the console.
  console.log(sent);
  if (isHeld(sent)) {
    askHeldAgain(queryClient, store.getState().user.id);
    showStatus({ text: accountTexts.held });
    return null;
  }
  await loadUpTo(sent, store);
  store.dispatch({ type: 'ADD_COMMENT', comment: sent });
  return sent;
}

/**
 * Sends an account's queued comments: now, at growing intervals, when the network returns and when a
 * live stream opens.
 */
export function useOutbox(userId: string, store: Store): void {
  const liveStreams = useAppState((state) => state.liveStreams);
  const hasUnsent = useSyncExternalStore(onDraftChange, () => firstUnsent(userId) !== undefined);
  useQuery({
    queryKey: [...accountKey(userId), 'outbox', liveStreams],
    /** @returns how many attempts in a row have failed */
    queryFn: async ({ client, queryKey }) => {
      const shown = { store, queryClient: client };
      const failure = await sendOutbox(userId, shown, { isBackground: true });
      return failure ? (client.getQueryData<number>(queryKey) ?? 0) + 1 : 0;
    },
    refetchInterval: ({ state: { data = 0 } }) =>
      hasUnsent && Math.min(longestDelayMs, firstDelayMs * 2 ** data),
    refetchIntervalInBackground: true,
    refetchOnReconnect: 'always',
  });
}

/**
 * Sends the queued comments in order, in one tab at a time, until one is neither accepted nor
 * rejected for good. @returns the failure of that one, or null when none is left to send
 */
export function sendOutbox(
  userId: string,
  shown: Shown,
  options?: RequestOptions,
): Promise<Failure | null> {
  return withTabLock(`outbox ${userId}`, async () => {
    // The user may sign out, or discard another comment, while one is sent.
    for (let queued = firstUnsent(userId); queued; queued = firstUnsent(userId)) {
      if (readSession()?.id !== userId) return null;
      const nowMs = await fetchServerTime();
      // Without the server's time its age is unknown, so it could be sent a second time.
      if (nowMs === null) return new Failure(null);
      const draft = queuedDraft(userId, queued.key);
      const sentAtMs = queued.sentAtMs ?? nowMs;
      const isTooOld = nowMs - sentAtMs > maxAgeMs;
      changeDraft(
        draft,
        isTooOld
          ? {
              refusal:
                'Lleva casi un mes sin enviarse. Comprueba que no esté ya publicado y escríbelo de nuevo.',
            }
          : { sentAtMs },
      );
      if (isTooOld) continue;
      const answer = await orFailure(postComment(queued, shown, options));
      if (!(answer instanceof Failure)) discardDraft(draft);
      else if (answer.isRefused) {
        changeDraft(draft, { ...queued, sentAtMs, refusal: answer.text });
      } else return answer;
    }
    return null;
  });
}
