import { useQuery } from '@tanstack/react-query';
import { type Dispatch, useEffect } from 'react';
import { limits } from '../../../shared/limits.ts';
import type { News, ReadingPosition } from '../../../shared/people.ts';
import { send } from '../../api/call.ts';
import { orFailure } from '../../api/failures.ts';
import { newsKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import type { Action } from '../../state/actions.ts';
import { joinNews } from '../../state/reads.ts';
import { noNews } from '../../state/state.ts';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { listNews, sendPositions } from './news-calls.ts';

/** How often news is fetched while the page is visible. */
const intervalMs = 60_000;
/** How long positions wait for others, to be sent together. */
const batchMs = 1000;

/** Positions that the server has not confirmed, by channel. They outlive the component that reports them. */
const waiting = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Keeps `reads` and the other news in the state current: fetches now, when the window gets the focus, and once a
 * minute while the page is visible.
 * @param channelIds joined with commas, so that equal lists are equal strings; undefined sends no request
 * @returns the news; undefined before the first response
 */
export function useNews(channelIds: string | undefined): News | undefined {
  const { dispatch } = useStore();
  const { id } = useUser();
  const { data: news } = useQuery({
    queryKey: [...newsKey(id), channelIds],
    queryFn: ({ signal }) => fetchNews(channelIds?.split(',') ?? [], signal),
    enabled: id !== '' && channelIds !== undefined,
    refetchInterval: intervalMs,
    // Reading on another page changes the counts, so a page that is opened again refetches.
    refetchOnMount: 'always',
    // Every response is dispatched, even an unchanged one, since the state may have changed locally.
    structuralSharing: false,
  });
  useEffect(() => {
    if (news) dispatch({ type: 'NEWS_LISTED', news });
  }, [news, dispatch]);
  return news;
}

async function fetchNews(channelIds: string[], signal: AbortSignal): Promise<News> {
  // Sent first, so that the response reflects these positions.
  await sendWaiting();
  let news = noNews;
  for (let start = 0; start < channelIds.length; start += limits.readsPerRequest) {
    const ids = channelIds.slice(start, start + limits.readsPerRequest);
    news = joinNews(news, await request(listNews, ids, { signal, isBackground: true }));
  }
  return news;
}

/**
 * Records how far the user has read channels: in the state at once, on the server a moment later together with other
 * positions, or when the page is left. Numbers smaller than the recorded ones change nothing.
 */
export function markRead(positions: ReadingPosition[], dispatch: Dispatch<Action>): void {
  dispatch({ type: 'CHANNELS_READ', positions });
  for (const { channelId, number } of positions) {
    waiting.set(channelId, Math.max(number, waiting.get(channelId) ?? 0));
  }
  timer ??= setTimeout(sendWaiting, batchMs);
  sendOnLeaving();
}

/** Adds the same listener each time, so it is added only once. Leaving a page also hides it. */
function sendOnLeaving(): void {
  document.addEventListener('visibilitychange', sendWhenHidden);
}

/**
 * Sends the positions of a session that is ending. Its token must remain valid until this resolves or the page is
 * left.
 */
export async function sendLastPositions(token: string): Promise<void> {
  const isLeft = new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }));
  const sending = sendBatches((batch) => send(sendPositions, batch, { token }));
  await Promise.race([sending, isLeft]);
}

const sendWaiting = () =>
  sendBatches((batch) => request(sendPositions, batch, { isBackground: true }));

function sendWhenHidden() {
  if (document.hidden) void sendWaiting();
}

/** Sends all positions in batches. Positions that could not be sent wait for the next time. */
async function sendBatches(
  sendBatch: (positions: ReadingPosition[]) => Promise<undefined>,
): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const positions = [...waiting].map(([channelId, number]) => ({ channelId, number }));
  const batches = Array.from(
    { length: Math.ceil(positions.length / limits.readsPerRequest) },
    (_, i) => positions.slice(i * limits.readsPerRequest, (i + 1) * limits.readsPerRequest),
  );
  // All batches at once, since the page may be about to close.
  await Promise.all(
    batches.map(async (batch) => {
      const failure = await orFailure(sendBatch(batch));
      if (failure && !failure.isRefused) return;
      for (const { channelId, number } of batch) {
        if (waiting.get(channelId) === number) waiting.delete(channelId);
      }
    }),
  );
}
