import type { Dispatch } from 'react';
import { apiRoutes } from '../../shared/api-routes.ts';
import { limits } from '../../shared/limits.ts';
import type { News, ReadingPosition } from '../../shared/people.ts';
import { bearer, call } from '../api/api.ts';
import {
  callAsUser,
  currentToken,
  currentUserId,
  isRejected,
  recoverSession,
} from '../session/account-call.ts';
import type { Action } from '../state/actions.ts';

/** How often news are fetched while the page is visible. */
const intervalMs = 60_000;
/** How long positions wait for others, to be sent together. */
const batchMs = 1000;

/** How long the end of a session waits for its last positions to be sent. */
const lastMs = 1000;

/** Positions that are not sent yet, by channel. */
let waiting = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Keeps the state's `reads` of these channels current until `signal` is aborted: fetches them now, when
 * the page gets the focus, and once a minute while it is visible.
 */
export function followNews(
  channelIds: string[],
  dispatch: Dispatch<Action>,
  signal: AbortSignal,
): void {
  if (signal.aborted || channelIds.length === 0) return;
  let isFetching = false;
  const refresh = async () => {
    if (isFetching || document.visibilityState !== 'visible') return;
    isFetching = true;
    // Before the question, so that the answer knows of them.
    await sendWaiting();
    for (let start = 0; start < channelIds.length; start += limits.readsPerRequest) {
      const ids = channelIds.slice(start, start + limits.readsPerRequest);
      const result = await fetchNews(ids, signal);
      if (signal.aborted || !result.ok) break;
      dispatch({ type: 'NEWS_LISTED', reads: result.value.reads });
    }
    isFetching = false;
  };
  const interval = setInterval(refresh, intervalMs);
  signal.addEventListener('abort', () => clearInterval(interval));
  addEventListener('focus', refresh, { signal });
  document.addEventListener('visibilitychange', refresh, { signal });
  void refresh();
}

/**
 * Remembers how far the user has read channels: in the state at once, on the server together with other
 * positions a moment later, or when the page is left. Smaller numbers than before change nothing.
 */
export function markRead(positions: ReadingPosition[], dispatch: Dispatch<Action>): void {
  dispatch({ type: 'CHANNELS_READ', positions });
  addWaiting(positions);
  timer ??= setTimeout(sendWaiting, batchMs);
}

/** Sends positions when the page is left. @returns a function that stops it */
export function startSendingPositions(): () => void {
  // Those of another user that could not be sent.
  waiting = new Map();
  const onHidden = () => {
    if (document.visibilityState === 'hidden') void sendWaiting();
  };
  document.addEventListener('visibilitychange', onHidden);
  addEventListener('pagehide', sendWaiting);
  return () => {
    document.removeEventListener('visibilitychange', onHidden);
    removeEventListener('pagehide', sendWaiting);
    clearTimeout(timer);
    timer = undefined;
  };
}

/**
 * Sends positions of a session that ends: until they are sent, the page is left or a second has passed,
 * the server must still know its token.
 */
export async function sendLastPositions(token: string): Promise<void> {
  const isLeft = new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }));
  const isLate = new Promise((resolve) => setTimeout(resolve, lastMs));
  await Promise.race([sendPositions(token), isLeft, isLate]);
}

function addWaiting(positions: ReadingPosition[]): void {
  for (const { channelId, number } of positions) {
    waiting.set(channelId, Math.max(number, waiting.get(channelId) ?? 0));
  }
}

const sendWaiting = () => sendPositions(currentToken());

/** Positions that could not be sent wait for the next time. */
async function sendPositions(token: string): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const id = currentUserId();
  const sending = [...waiting].map(([channelId, number]) => ({ channelId, number }));
  waiting = new Map();
  for (let start = 0; start < sending.length; start += limits.readsPerRequest) {
    const batch = sending.slice(start, start + limits.readsPerRequest);
    const result = await call(apiRoutes.reads, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...bearer(token) },
      body: JSON.stringify(batch),
      // Completes even if the page is closed meanwhile.
      keepalive: true,
    });
    if (isRejected(result) && (await recoverSession(token, id)) !== 'lost') {
      return addWaiting(sending.slice(start));
    }
    // Another user may have signed in meanwhile.
    if (token !== currentToken()) return;
    if (!result.ok && (result.problem?.status ?? 500) >= 429) addWaiting(batch);
  }
}

function fetchNews(channelIds: string[], signal: AbortSignal) {
  // The ids need no encoding, and commas stay readable.
  return callAsUser<News>(`${apiRoutes.news}?channels=${channelIds.join()}`, {
    has: 'reads',
    signal,
  });
}
