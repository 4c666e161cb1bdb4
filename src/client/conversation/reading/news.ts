import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { limits } from '../../../shared/limits.ts';
import type { News, ReadingPosition } from '../../../shared/people.ts';
import { send } from '../../api/call.ts';
import { orFailure } from '../../api/failures.ts';
import { newsKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { joinNews } from '../../state/reads.ts';
import { noNews } from '../../state/state.ts';
import type { Store } from '../../state/store.ts';
import { useAppState, useStore, useUser } from '../../state/store-provider.tsx';
import { listNews, sendPositions } from './news-calls.ts';

/** How often news is fetched while the page is visible. */
const intervalMs = 60_000;
/** How long positions wait for others, to be sent together. */
const batchMs = 1000;

/**
 * Keeps `reads` and the other news in the state current: fetches now, when the window gets the focus, and once a
 * minute while the page is visible.
 * @param channelIds joined with commas, so that equal lists are equal strings; undefined sends no request
 * @returns the news; undefined before the first response
 */
export function useNews(channelIds: string | undefined): News | undefined {
  const store = useStore();
  const { dispatch } = store;
  const { id } = useUser();
  const { data: news } = useQuery({
    queryKey: [...newsKey(id), channelIds],
    queryFn: ({ signal }) => fetchNews(store, channelIds?.split(',') ?? [], signal),
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

async function fetchNews(store: Store, channelIds: string[], signal: AbortSignal): Promise<News> {
  // Sent first, so that the response reflects these positions.
  await sendUnsent(store);
  let news = noNews;
  for (let start = 0; start < channelIds.length; start += limits.readsPerRequest) {
    const ids = channelIds.slice(start, start + limits.readsPerRequest);
    news = joinNews(news, await request(listNews, ids, { signal, isBackground: true }));
  }
  return news;
}

/**
 * Sends reading positions a moment after the last one was recorded, together, and when the page is hidden, which it
 * also is when it is left.
 */
export function useUnsentReads(store: Store): void {
  const unsent = useAppState((state) => state.unsentReads);
  useEffect(() => {
    if (Object.keys(unsent).length === 0) return;
    const send = () => void sendUnsent(store);
    const timer = setTimeout(send, batchMs);
    const sendWhenHidden = () => document.hidden && send();
    document.addEventListener('visibilitychange', sendWhenHidden);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', sendWhenHidden);
    };
  }, [unsent, store]);
}

/** The positions that the server has not confirmed. */
export const unsentPositions = ({ getState }: Store): ReadingPosition[] =>
  Object.entries(getState().unsentReads).map(([channelId, number]) => ({ channelId, number }));

/** Positions that could not be sent wait for the next time. */
const sendUnsent = (store: Store) =>
  sendBatches(unsentPositions(store), async (positions) => {
    const sent = request(sendPositions, positions, { isBackground: true });
    const failure = await orFailure(sent);
    if (!failure || failure.isRefused) store.dispatch({ type: 'READS_SENT', positions });
  });

/**
 * Sends the positions of a session that is ending. Its token must remain valid until this resolves or the page is
 * left.
 */
export async function sendLastPositions(
  positions: ReadingPosition[],
  token: string,
): Promise<void> {
  const isLeft = new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }));
  const sending = sendBatches(positions, (batch) =>
    orFailure(send(sendPositions, batch, { token })),
  );
  await Promise.race([sending, isLeft]);
}

/** Sends all batches at once, since the page may be about to close. */
async function sendBatches(
  positions: ReadingPosition[],
  sendBatch: (batch: ReadingPosition[]) => Promise<unknown>,
): Promise<void> {
  const most = limits.readsPerRequest;
  const batches = Array.from({ length: Math.ceil(positions.length / most) }, (_, index) =>
    positions.slice(index * most, (index + 1) * most),
  );
  await Promise.all(batches.map(sendBatch));
}
