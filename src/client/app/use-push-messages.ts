import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fieldsOf } from '../../shared/fields-of.ts';
import type { News } from '../../shared/people.ts';
import { accountKey } from '../api/query-client.ts';
import { refetchNow } from '../api/user-query.ts';
import { go } from '../router/navigation.tsx';
import { useUser } from '../state/store-provider.tsx';
import { readRemembered } from '../storage/session.ts';

/** Only secure pages have service workers. */
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/**
 * Opens the place of a push message that was pressed, closes the messages once nothing is unread, and renews this
 * browser's subscription. All of it is for the account that this browser stays signed in to, to which messages are sent.
 */
export function usePushMessages(news: News | undefined): void {
  const queryClient = useQueryClient();
  const { id, isLogged } = useUser();

  useEffect(() => {
    if (!workers) return;
    const stop = new AbortController();
    workers.addEventListener('message', (event) => answer(event, id, queryClient), stop);
    return () => stop.abort();
  }, [id, queryClient]);

  useEffect(() => {
    if (news?.unreadNotifications === 0 && id === readRemembered()) void closeMessages();
  }, [news, id]);

  useEffect(() => {
    const isAllowed = 'Notification' in window && Notification.permission === 'granted';
    if (!isLogged || !isAllowed || id !== readRemembered()) return;
    // The settings say when it does not succeed.
    void renew(id, queryClient).catch(() => {});
  }, [id, isLogged, queryClient]);
}

function answer({ data, ports: [port] }: MessageEvent, id: string, queryClient: QueryClient): void {
  const { opens } = fieldsOf(data);
  if (typeof opens !== 'string') return;
  // A tab without an account is about to be signed in to the one that the browser remembers.
  const isOwn = id === '' || id === readRemembered();
  port?.postMessage(isOwn);
  if (!isOwn) return;
  go(opens);
  // The page may be the present one, as it was when it was left.
  void refetchNow(queryClient, { queryKey: accountKey(id) });
}

async function closeMessages(): Promise<void> {
  const registration = await workers?.getRegistration('/');
  for (const message of (await registration?.getNotifications()) ?? []) message.close();
}

async function renew(id: string, queryClient: QueryClient): Promise<void> {
  const { renewPush } = await import('../settings/push/push-subscription.ts');
  if (await renewPush()) await refetchNow(queryClient, { queryKey: accountKey(id) });
}
